#if !ReactiveSwift
    import Dispatch
    import MoyaCore

    extension MoyaProviderType {
        @available(
            *, unavailable,
            message:
                "Turn on the trait ReactiveSwift: .package(url: …, traits: [\"ReactiveSwift\"])"
        )
        public var reactive: TraitReactiveSwiftIsOff<Target> { TraitReactiveSwiftIsOff() }
    }

    /// Type of `reactive` while the trait `ReactiveSwift` is off. Its name tells the reader of a
    /// compiler message which trait to turn on.
    public struct TraitReactiveSwiftIsOff<Target> {
        public func request(_ token: Target, callbackQueue: DispatchQueue? = nil) -> Self { self }

        public func requestWithProgress(
            _ token: Target, callbackQueue: DispatchQueue? = nil
        ) -> Self { self }
    }
#endif
