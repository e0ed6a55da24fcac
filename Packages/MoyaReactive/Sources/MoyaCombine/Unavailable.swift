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

    /// Return type of the request methods while the trait `OpenCombine` is off. Its name tells the
    /// reader of a compiler message which trait to turn on.
    public struct TraitOpenCombineIsOff {}
#endif
