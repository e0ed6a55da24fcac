#if CURL
import CMoyaCurl
import Foundation

/// The number of bytes that a connection has received up to the end of a response's head.
///
/// If bytes arrive together with a response that has no body, libcurl reads them with the head,
/// drops them, and keeps the connection. The server's next bytes would then be taken for the
/// response to the next request (RFC 9112, section 9.2). Bytes that libcurl has read are no longer
/// visible, but the system's byte count includes them.
struct ReceivedHead {
    let socket: curl_socket_t
    /// Number of bytes received if only header lines have arrived.
    private var expected: UInt64

    /// Returns `nil` if the system does not count bytes.
    init?(on socket: curl_socket_t) {
        guard let counts = ConnectionCounts(of: socket) else { return nil }
        self.socket = socket
        expected = counts.received
    }

    mutating func note(_ line: UnsafeRawBufferPointer) { expected += UInt64(line.count) }

    /// Whether more bytes than the header lines have arrived, read or unread.
    var hasSurplus: Bool {
        ConnectionCounts(of: socket).map { $0.received > expected } ?? false
    }
}

extension CurlHandle {
    /// Starts to count the bytes received on the connection that a request is about to be written
    /// to. `nil` if the connection is not HTTP/1 without TLS, and with libcurl 8.0 and later, where
    /// ``SocketsByEndpoints`` is empty.
    func countHead(on endpoints: ConnectionEndpoints) -> ReceivedHead? {
        guard profile?.isSecure == false, configuration.httpVersion != .http2PriorKnowledge,
            let socket = context.sockets[endpoints]
        else { return nil }
        return ReceivedHead(on: socket)
    }
}

extension Attempt {
    /// Makes libcurl close the connection if bytes follow a head without a body.
    func leaveConnectionWithSurplus() {
        guard let received = head.received, easy.long(CURLINFO_RESPONSE_CODE) >= 200,
            head.framing.isEmpty || !mayHaveBody, received.hasSurplus,
            // Over TLS to a proxy, the system also counts the bytes of TLS records.
            OpenSSL.installed?.connection(of: easy) == nil
        else { return }
        handle.leaveConnection()
    }
}
#endif
