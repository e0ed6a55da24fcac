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

    /// What `reactive` is where the trait `ReactiveSwift` is off, so that the compiler names the trait behind it, too.
    public struct TraitReactiveSwiftIsOff<Target> {
        public func request(_ token: Target, callbackQueue: DispatchQueue? = nil) -> Self { self }

        public func requestWithProgress(
            _ token: Target, callbackQueue: DispatchQueue? = nil
        ) -> Self { self }
    }
#endif
