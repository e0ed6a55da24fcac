import MoyaCore

// Compiler messages for layers whose trait is off.

#if !Logging
    extension Transport {
        @available(
            *, unavailable,
            message: "Turn on the trait Logging: .package(url: …, traits: [\"Logging\"])"
        )
        public func logging(
            to logger: Any, redaction: Redaction = .default, clock: any MoyaClock = .system
        ) -> Self { self }
    }
#endif

#if !Metrics
    extension Transport {
        @available(
            *, unavailable,
            message: "Turn on the trait Metrics: .package(url: …, traits: [\"Metrics\"])"
        )
        public func measuring(
            with factory: Any? = nil, clock: any MoyaClock = .system
        ) -> Self { self }
    }
#endif

#if !Tracing
    extension Transport {
        @available(
            *, unavailable,
            message: "Turn on the trait Tracing: .package(url: …, traits: [\"Tracing\"])"
        )
        public func tracing(with tracer: Any? = nil, redaction: Redaction = .default) -> Self {
            self
        }
    }
#endif
