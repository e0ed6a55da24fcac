import Foundation

/// The body of a ``TransportRequest``.
public enum RequestBody: Sendable {
    /// No body.
    case none
    /// These bytes, with their count as `Content-Length`.
    case data(Data)
    /// The bytes of this local file, read while they are sent.
    case file(URL)
    /// These pieces, as they come.
    case stream(RequestBodyStream)

    /// Whether it can be sent again, so that redirects and retries work.
    public var isReplayable: Bool {
        if case .stream(let stream) = self { stream.isReplayable } else { true }
    }
}
