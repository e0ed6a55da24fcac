import Foundation

/// The body of a ``TransportRequest``.
public enum RequestBody: Sendable {
    /// No body.
    case none
    /// Data in memory. Its size is sent as `Content-Length`.
    case data(Data)
    /// A local file, read as it is sent.
    case file(URL)
    /// A stream of chunks.
    case stream(RequestBodyStream)

    /// Whether the body can be sent again, as redirects and retries require.
    public var isReplayable: Bool {
        if case .stream(let stream) = self { stream.isReplayable } else { true }
    }
}
