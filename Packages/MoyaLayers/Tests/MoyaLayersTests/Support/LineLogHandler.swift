#if Logging
    import Logging
    import MoyaTestSupport

    /// A swift-log handler that passes on each entry as one line.
    struct LineLogHandler: LogHandler {
        let write: @Sendable (String) -> Void
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        init(write: @escaping @Sendable (String) -> Void) { self.write = write }

        init(lines: Recorder<String>) { write = lines.record }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let shown = (event.metadata ?? [:]).sorted { $0.key < $1.key }
                .map { "\($0.key)=\($0.value)" }
            write(
                (["\(event.level)", "\(event.message)"] + shown).joined(separator: " "))
        }
    }
#endif
