#if !(canImport(Combine) || OpenCombine)
    import Foundation
    import MoyaCore

    extension MoyaProviderType {
        /// Not here: this platform has no Combine, and the package trait is off.
        @available(
            *, unavailable,
            message: "Turn on the trait: .package(url: …, traits: [\"OpenCombine\"])."
        )
        public func requestPublisher(_ target: Target, callbackQueue: DispatchQueue? = nil) {}

        /// Not here: this platform has no Combine, and the package trait is off.
        @available(
            *, unavailable,
            message: "Turn on the trait: .package(url: …, traits: [\"OpenCombine\"])."
        )
        public func requestWithProgressPublisher(
            _ target: Target, callbackQueue: DispatchQueue? = nil
        ) {}
    }
#endif
