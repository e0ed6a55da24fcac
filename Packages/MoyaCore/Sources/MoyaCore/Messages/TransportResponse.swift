import Foundation

/// What came back from one exchange.
///
/// A value, as cheap to hand on as a reference: it is copied on the first change.
public struct TransportResponse: Sendable {
    private var fields: Boxed<Fields>

    /// Status, header fields and final URL.
    public var head: ResponseHead {
        get { fields.value.head }
        _modify { yield &fields.own().value.head }
    }

    /// The body, where the request wanted it.
    public var body: ResponseBody {
        get { fields.value.body }
        _modify { yield &fields.own().value.body }
    }

    /// How long each step took.
    public var metrics: TransportMetrics {
        get { fields.value.metrics }
        _modify { yield &fields.own().value.metrics }
    }

    /// The fields that came after the body (RFC 9110, section 6.5), where the transport can tell. Those of a
    /// stream are its own: ``ResponseBodyStream/trailers``.
    public var trailers: [HeaderField] {
        get { fields.value.trailers }
        _modify { yield &fields.own().value.trailers }
    }

    /// For transports, layers and stubs. Without a body, it is an empty one in memory.
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
    /// The body while it arrives.
    case stream(ResponseBodyStream)
}

extension TransportResponse {
    /// Discards a response that is not delivered: removes its file, cancels its stream.
    public func discard() {
        switch body {
        case .data: break
        // Best effort: a temporary file that no caller knows.
        case .file(let url): try? FileManager.default.removeItem(at: url)
        case .stream(let stream): stream.cancel()
        }
    }
}

/// Where the time of one exchange went. Durations are in seconds from its start, or `nil`
/// where the step did not happen or the transport cannot tell.
public struct TransportMetrics: Sendable, Equatable {
    /// Until the host name was resolved.
    public var domainLookup: TimeInterval?
    /// Until the connection stood.
    public var connect: TimeInterval?
    /// Until the TLS handshake was done.
    public var secureConnect: TimeInterval?
    /// Until the first byte of the response arrived.
    public var firstByte: TimeInterval?
    /// Until the exchange was over, redirects included.
    public var total: TimeInterval?
    /// Bytes of body sent.
    public var bytesSent: Int64 = 0
    /// Bytes of body received from the network, before decompression where the transport can tell.
    public var bytesReceived: Int64 = 0
    /// The protocol's ALPN name: `http/1.0`, `http/1.1`, `h2`, `h3` (RFC 7301).
    public var protocolName: String?
    /// Whether an idle connection was used again.
    public var isReusedConnection: Bool?
    /// How many redirects were followed.
    public var redirectCount: Int = 0
    /// The address of the peer, without its port.
    public var remoteAddress: String?
    /// The version of TLS that was agreed upon: `TLSv1.2`, `TLSv1.3`. `nil` without TLS, and where the transport
    /// cannot tell.
    public var tlsVersion: String?
    /// The cipher suite that was agreed upon, by its IANA name: `TLS_AES_256_GCM_SHA384`. `nil` without TLS, and where
    /// the transport cannot tell.
    public var tlsCipherSuite: String?

    /// Nothing measured yet: every duration is `nil`, every count 0.
    public init() {}
}
