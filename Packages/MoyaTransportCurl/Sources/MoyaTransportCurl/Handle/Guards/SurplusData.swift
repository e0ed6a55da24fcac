#if CURL
import CMoyaCurl
import Foundation

/// What a connection had received when a request was begun on it, and the header lines that have come since.
///
/// Bytes that come in one piece with an answer without a body are read by libcurl together with its head, dropped, and the
/// connection is kept: what the server writes next would be taken for the answer to the next request (RFC 9112,
/// section 9.2). Bytes that libcurl has read cannot be seen any more, but the system has counted them.
struct ReceivedHead {
    let socket: curl_socket_t
    /// How many bytes the connection has received if nothing came but header lines.
    private var expected: UInt64

    /// `nil` where the system does not count.
    init?(on socket: curl_socket_t) {
        guard let counts = ConnectionCounts(of: socket) else { return nil }
        self.socket = socket
        expected = counts.received
    }

    mutating func note(_ line: UnsafeRawBufferPointer) { expected += UInt64(line.count) }

    /// Whether more has come than the header lines, read or not.
    var hasSurplus: Bool {
        ConnectionCounts(of: socket).map { $0.received > expected } ?? false
    }
}

extension CurlHandle {
    /// Begins to count what comes on the connection that a request is about to be written to. `nil` where that is not HTTP/1
    /// in the clear, and with libcurl 8.0 and later, where ``SocketsByEndpoints`` is empty.
    func countHead(on endpoints: ConnectionEndpoints) -> ReceivedHead? {
        guard profile?.isSecure == false, configuration.httpVersion != .http2PriorKnowledge,
            let socket = context.sockets[endpoints]
        else { return nil }
        return ReceivedHead(on: socket)
    }

    /// Whether bytes have come behind a head that no body follows.
    func hasSurplus(behind head: ReceivedHead) -> Bool {
        // What a proxy sends over TLS is more than what it says.
        head.hasSurplus && OpenSSL.installed?.connection(of: easy) == nil
    }
}
#endif
