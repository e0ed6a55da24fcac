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
        /// `warning` if it failed or the status is 500 or above. A cancelled request is no failure.
        /// The metadata uses OpenTelemetry's names, with secrets in the URL and in `error.message`
        /// masked, and the duration is in seconds. Bodies and header fields are not logged: see
        /// `NetworkLoggerPlugin`.
        public func logging(
            to logger: Logger, redaction: Redaction = .default, clock: any MoyaClock = .system
        ) -> some Transport {
            observing(clock: clock, inside: false, if: { logger.logLevel <= .warning }) {
                event in
                guard let (level, message) = event.entry else { return }
                // Not evaluated below the logger's level.
                logger.log(level: level, message, metadata: event.metadata(redaction))
            }
        }
    }

    extension ExchangeEvent {
        /// The log entry of a start or an end. `nil` for other events.
        fileprivate var entry: (Logger.Level, Logger.Message)? {
            switch self {
            case .began where RequestNote.current == nil: (.debug, "HTTP request began")
            case .began: (.notice, "HTTP request of a transfer that starts again")
            case .ended(_, .failure(let error), _):
                Self.isCancellation(error)
                    ? (.info, "HTTP request cancelled") : (.warning, "HTTP request failed")
            case .ended(_, .success(let response), _):
                (response.head.statusCode >= 500 ? .warning : .info, "HTTP request ended")
            default: nil
            }
        }

        private static func isCancellation(_ error: any Error) -> Bool {
            error is CancellationError || (error as? URLError)?.code == .cancelled
        }

        fileprivate func metadata(_ redaction: Redaction) -> Logger.Metadata {
            switch self {
            case .began(let request):
                var metadata = Self.metadata(of: request, redaction)
                metadata["note"] = RequestNote.current.map { "\($0)" }
                return metadata
            case .ended(let request, let outcome, let duration):
                var metadata = Self.metadata(of: request, redaction)
                metadata["duration"] = "\(duration)"
                metadata["error.type"] = SemanticConventions.errorType(outcome).map { "\($0)" }
                switch outcome {
                case .success(let response):
                    metadata["http.response.status_code"] = "\(response.head.statusCode)"
                case .failure(let error):
                    let text = MoyaError(wrapping: error).localizedDescription
                    metadata["error.message"] = "\(redaction.redact(text: text))"
                }
                return metadata
            default: return [:]
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
