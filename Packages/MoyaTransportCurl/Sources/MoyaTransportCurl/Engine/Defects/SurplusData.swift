#if CURL
import CMoyaCurl

/// The number of bytes that a connection has received, to find those after a response's head.
///
/// If bytes arrive together with a response that has no body, libcurl before 8.6 reads them with
/// the head, drops them, and keeps the connection. The server's next bytes would then be taken for
/// the response to the next request (RFC 9112, section 9.2). Bytes that libcurl has read are no
/// longer visible, but the system's byte count includes them.
struct ReceivedBytes {
    private let socket: curl_socket_t
    private let before: UInt64

    /// Returns `nil` if the system does not count bytes, or the connection is not HTTP/1 without
    /// TLS, and with libcurl 8.0 and later, where ``SocketsByEndpoints`` is empty.
    init?(of handle: CurlHandle, on endpoints: ConnectionEndpoints) {
        guard handle.profile?.isSecure == false,
            handle.configuration.httpVersion != .http2PriorKnowledge,
            let socket = handle.context.sockets[endpoints],
            let counts = ConnectionCounts(of: socket)
        else { return nil }
        (self.socket, before) = (socket, counts.received)
    }

    /// Whether more bytes than `lineBytes` of header lines have arrived since, read or unread.
    func hasSurplus(after lineBytes: Int) -> Bool {
        ConnectionCounts(of: socket).map { $0.received > before + UInt64(lineBytes) } ?? false
    }
}
#endif
