#if !ReactiveSwift
    import MoyaCore

    extension MoyaProviderType {
        /// Not here: the package trait is off.
        @available(
            *, unavailable,
            message: "Turn on the trait: .package(url: …, traits: [\"ReactiveSwift\"])."
        )
        public var reactive: Self { self }
    }
#endif
