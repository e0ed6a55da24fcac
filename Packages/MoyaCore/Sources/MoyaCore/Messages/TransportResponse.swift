import Foundation
import MoyaInternals

/// The response of a ``Transport``.
///
/// A copy-on-write value: passing it on costs as much as passing a reference.
public struct TransportResponse: Sendable {
    private var fields: Boxed<Fields>

    /// Status, header fields and final URL.
    public var head: ResponseHead {
        get { fields.value.head }
        _modify { yield &fields.own().value.head }
    }

    /// The body, at the destination that the request specified.
    public var body: ResponseBody {
        get { fields.value.body }
        _modify { yield &fields.own().value.body }
    }

    /// The durations and byte counts of the request.
    public var metrics: TransportMetrics {
        get { fields.value.metrics }
        _modify { yield &fields.own().value.metrics }
    }

    /// The trailer fields (RFC 9110, section 6.5), if the transport supports them. The trailer
    /// fields of a streamed body are in ``ResponseBodyStream/trailers``.
    public var trailers: [HeaderField] {
        get { fields.value.trailers }
        _modify { yield &fields.own().value.trailers }
    }

    /// Creates a response, for transports, layers and stubs. The default body is empty data in
    /// memory.
    public init(
        head: ResponseHead, body: ResponseBody = .data(Data()),
        metrics: TransportMetrics = TransportMetrics(), trailers: [HeaderField] = []
    ) {
        fields = Boxed(
            Fields(head: head, body: body, metrics: metrics, trailers: trailers))
    }
}

extension TransportResponse {
    private struct Fields: Sendable {
        var head: ResponseHead
        var body: ResponseBody
        var metrics: TransportMetrics
        var trailers: [HeaderField]
    }
}

/// The body of a ``TransportResponse``.
public enum ResponseBody: Sendable {
    /// The body in memory.
    case data(Data)
    /// The file that holds the body.
    case file(URL)
    /// The body as it arrives.
    case stream(ResponseBodyStream)
}

extension TransportResponse {
    /// Discards a response that is not returned to a caller: removes its file or cancels its
    /// stream.
    public func discard() {
        switch body {
        case .data: break
        // An error is ignored: no caller knows the path of the file.
        case .file(let url): try? FileManager.default.removeItem(at: url)
        case .stream(let stream): stream.cancel()
        }
    }

    /// Calls `action` when the response has ended: at once, or when a streamed body ends. The
    /// response passed to `action` has no stream, because a stream has a single reader.
    public func whenEnded(
        _ action: @escaping @Sendable (Result<TransportResponse, any Error>) -> Void
    ) {
        guard case .stream(let stream) = body else { return action(.success(self)) }
        stream.whenEnded { [head] outcome in
            action(
                outcome.map {
                    TransportResponse(head: head, metrics: $0.metrics, trailers: $0.trailers)
                })
        }
    }

    /// Removes the response's file and returns the response with an empty body.
    func withoutFile() -> TransportResponse {
        guard case .file = body else { return self }
        discard()
        var response = self
        response.body = .data(Data())
        return response
    }

    /// Returns the body as a stream, whatever form the transport returned it in.
    func stream() async throws -> ResponseBodyStream {
        switch body {
        case .data(let data): return ResponseBodyStream(data)
        case .stream(let stream): return stream
        case .file(let url):
            return try await DiskWork.perform {
                defer { discard() }
                return ResponseBodyStream(try Data(contentsOf: url))
            }
        }
    }
}

/// The durations and byte counts of a request. Durations are in seconds from the start of the
/// request. A duration is `nil` if the step did not occur or the transport cannot measure it.
public struct TransportMetrics: Sendable, Equatable {
    /// Time until the host name was resolved.
    public var domainLookup: TimeInterval?
    /// Time until the connection was established.
    public var connect: TimeInterval?
    /// Time until the TLS handshake was complete.
    public var secureConnect: TimeInterval?
    /// Time until the first byte of the response arrived.
    public var firstByte: TimeInterval?
    /// Time until the exchange was complete, including redirects.
    public var total: TimeInterval?
    /// Request body bytes sent.
    public var bytesSent: Int64 = 0
    /// Response body bytes received, before decompression if the transport can count them.
    public var bytesReceived: Int64 = 0
    /// The protocol's ALPN name: `http/1.0`, `http/1.1`, `h2`, `h3` (RFC 7301).
    public var protocolName: String?
    /// Whether the request reused an idle connection.
    public var isReusedConnection: Bool?
    /// Number of redirects that were followed.
    public var redirectCount: Int = 0
    /// Address of the peer, without its port.
    public var remoteAddress: String?
    /// The negotiated TLS version: `TLSv1.2`, `TLSv1.3`. `nil` without TLS, or if the transport
    /// does not provide it.
    public var tlsVersion: String?
    /// The IANA name of the negotiated cipher suite: `TLS_AES_256_GCM_SHA384`. `nil` without TLS,
    /// or if the transport does not provide it.
    public var tlsCipherSuite: String?

    /// Creates metrics without measurements: every duration is `nil`, every count 0.
    public init() {}
}
