#if !RxSwift
    import Dispatch
    import MoyaCore

    extension MoyaProviderType {
        @available(
            *, unavailable,
            message: "Turn on the trait RxSwift: .package(url: …, traits: [\"RxSwift\"])"
        )
        public var rx: TraitRxSwiftIsOff<Target> { TraitRxSwiftIsOff() }
    }

    /// Type of `rx` while the trait `RxSwift` is off. Its name tells the reader of a compiler
    /// message which trait to turn on.
    public struct TraitRxSwiftIsOff<Target> {
        public func request(_ token: Target, callbackQueue: DispatchQueue? = nil) -> Self { self }

        public func requestWithProgress(
            _ token: Target, callbackQueue: DispatchQueue? = nil
        ) -> Self { self }
    }
#endif
