#if Logging
    import Foundation
    import Logging
    import MoyaCore
    import MoyaInternals

    extension Transport {
        /// Wraps this transport in a layer that logs requests with swift-log. Requires the package
        /// trait `Logging`.
        ///
        /// The start of a request is logged at `debug`, or at `notice` with the reason if it starts
        /// a resumable transfer again from the first byte. Its end is logged at `info`, or at
        /// `warning` if it failed or the status is 500 or above. The metadata uses OpenTelemetry's
        /// names, with secrets in the URL masked, and the duration is in seconds. Bodies and header
        /// fields are not logged: see ``NetworkLoggerPlugin``.
        public func logging(
            to logger: Logger, redaction: Redaction = .default, clock: any MoyaClock = .system
        ) -> some Transport {
            observing(clock: clock) { event in
                let (level, message, metadata) = event.logEntry(redaction)
                logger.log(level: level, message, metadata: metadata)
            }
        }
    }

    extension ExchangeEvent {
        fileprivate func logEntry(
            _ redaction: Redaction
        ) -> (Logger.Level, Logger.Message, Logger.Metadata) {
            switch self {
            case .began(let request):
                var metadata = Self.metadata(of: request, redaction)
                guard let note = RequestNote.current else {
                    return (.debug, "HTTP request began", metadata)
                }
                metadata["note"] = "\(note)"
                return (.notice, "HTTP request of a transfer that starts again", metadata)
            case .ended(let request, let outcome, let duration):
                var metadata = Self.metadata(of: request, redaction)
                metadata["duration"] = "\(duration)"
                if let type = SemanticConventions.errorType(outcome) {
                    metadata["error.type"] = "\(type)"
                }
                guard case .success(let response) = outcome else {
                    return (.warning, "HTTP request failed", metadata)
                }
                metadata["http.response.status_code"] = "\(response.head.statusCode)"
                let isServerError = response.head.statusCode >= 500
                return (isServerError ? .warning : .info, "HTTP request ended", metadata)
            }
        }

        private static func metadata(
            of request: TransportRequest, _ redaction: Redaction
        ) -> Logger.Metadata {
            var metadata: Logger.Metadata = [
                "http.request.method": "\(request.method)",
                "url.full": "\(request.urlRequest.url.map(redaction.redact(url:)) ?? "")",
            ]
            metadata["request.name"] = request.context.name.map { "\($0)" }
            return metadata
        }
    }
#endif
