#if !Logging
    extension NetworkLoggerPlugin.Configuration {
        @available(
            *, unavailable,
            message: "Turn on the trait Logging: .package(url: …, traits: [\"Logging\"])"
        )
        public static func output(to logger: Any) -> OutputType { { _, _ in } }
    }
#endif
