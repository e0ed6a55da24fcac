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

    /// What `rx` is where the trait `RxSwift` is off, so that the compiler names the trait behind it, too.
    public struct TraitRxSwiftIsOff<Target> {
        public func request(_ token: Target, callbackQueue: DispatchQueue? = nil) -> Self { self }

        public func requestWithProgress(
            _ token: Target, callbackQueue: DispatchQueue? = nil
        ) -> Self { self }
    }
#endif
