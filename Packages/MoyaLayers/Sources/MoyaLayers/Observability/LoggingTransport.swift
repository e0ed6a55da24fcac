#if Logging
    import Foundation
    import Logging
    import MoyaCore

    extension Transport {
        /// This transport, its exchanges logged by swift-log. With the package trait `Logging`.
        ///
        /// Beginnings at `debug`, ends at `info`, and at `warning` where an exchange failed or the status is 500
        /// and above. The metadata has OpenTelemetry's names, secrets in the URL masked. Bodies and header
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
                return (.debug, "HTTP request began", Self.metadata(of: request, redaction))
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
            [
                "http.request.method": "\(request.method)",
                "url.full": "\(request.urlRequest.url.map(redaction.redact(url:)) ?? "")",
            ]
        }
    }
#endif
