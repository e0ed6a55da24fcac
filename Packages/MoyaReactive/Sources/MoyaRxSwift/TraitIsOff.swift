#if !RxSwift
    import MoyaCore

    extension MoyaProviderType {
        /// Not here: the package trait is off.
        @available(
            *, unavailable,
            message: "Turn on the trait: .package(url: …, traits: [\"RxSwift\"])."
        )
        public var rx: Self { self }
    }
#endif
