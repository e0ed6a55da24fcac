#if Logging
    import Logging
    import MoyaTestSupport

    /// A swift-log handler that records each entry as one line.
    struct LineLogHandler: LogHandler {
        let lines: Recorder<String>
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let shown = (event.metadata ?? [:]).sorted { $0.key < $1.key }
                .map { "\($0.key)=\($0.value)" }
            lines.record(
                (["\(event.level)", "\(event.message)"] + shown).joined(separator: " "))
        }
    }
#endif
