#if Logging
    import Logging

    extension NetworkLoggerPlugin.Configuration {
        /// Returns an output that writes each entry to swift-log. Requires the package trait
        /// `Logging`.
        ///
        /// ```swift
        /// let output = NetworkLoggerPlugin.Configuration.output(to: Logger(label: "network"))
        /// let plugin = NetworkLoggerPlugin(configuration: .init(output: output))
        /// ```
        public static func output(to logger: Logger, level: Logger.Level = .debug) -> OutputType {
            { _, items in
                for item in items { logger.log(level: level, "\(item)") }
            }
        }
    }
#endif
