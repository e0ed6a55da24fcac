#if !MockServer
    extension TransportConformance {
        @available(
            *, unavailable,
            message: "Turn on the trait MockServer: .package(url: …, traits: [\"MockServer\"])"
        )
        public static var secureCases: [Case] { [] }

        @available(
            *, unavailable,
            message: "Turn on the trait MockServer: .package(url: …, traits: [\"MockServer\"])"
        )
        public enum SecureCase {}

        @available(
            *, unavailable,
            message: "Turn on the trait MockServer: .package(url: …, traits: [\"MockServer\"])"
        )
        public enum Requirements {}
    }
#endif
