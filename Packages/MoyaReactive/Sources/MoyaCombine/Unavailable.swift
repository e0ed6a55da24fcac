#if !(canImport(Combine) || OpenCombine)
    import Dispatch
    import MoyaCore

    extension MoyaProviderType {
        @available(
            *, unavailable,
            message: "Turn on the trait OpenCombine: .package(url: …, traits: [\"OpenCombine\"])"
        )
        public func requestPublisher(
            _ target: Target, callbackQueue: DispatchQueue? = nil
        ) -> TraitOpenCombineIsOff { TraitOpenCombineIsOff() }

        @available(
            *, unavailable,
            message: "Turn on the trait OpenCombine: .package(url: …, traits: [\"OpenCombine\"])"
        )
        public func requestWithProgressPublisher(
            _ target: Target, callbackQueue: DispatchQueue? = nil
        ) -> TraitOpenCombineIsOff { TraitOpenCombineIsOff() }
    }

    /// What a publisher is where the trait `OpenCombine` is off, so that the compiler names the trait behind it, too.
    public struct TraitOpenCombineIsOff {}
#endif
