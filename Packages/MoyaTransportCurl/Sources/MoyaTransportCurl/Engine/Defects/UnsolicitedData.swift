#if CURL
// Versions: before 8.0.0. What `ReceivedBytes` finds lasts until 8.5.0, unguarded from 8.0.0 on.
// Test: UnsolicitedDataTests, SurplusDataTests, SocketsByEndpointsTests.
// Without them: this file, `sockets` of `HandleContext` with its uses there and in
//   `ClosedConnections.isOne`, `isOn` in `connectionFault` of `Attempt`, `received` and
//   `closeConnectionWithSurplus` of `Attempt`,
//   `lineBytes` of `ResponseReader`, and `hasPendingData` of `OpenSSL`.

import CMoyaCurl

/// The sockets of connections, to check the connection that libcurl is about to use. Filled only
/// with libcurl before 8.0; later versions do the check themselves.
struct SocketsByEndpoints {
    private var sockets: [ConnectionEndpoints: curl_socket_t] = [:]
    private var endpoints: [curl_socket_t: ConnectionEndpoints] = [:]

    subscript(endpoints: ConnectionEndpoints) -> curl_socket_t? { sockets[endpoints] }

    /// Records which of the sockets in `opened` is the connection between these endpoints.
    mutating func add(_ new: ConnectionEndpoints, among opened: [curl_socket_t]) {
        guard
            let socket = opened.last(where: {
                ConnectionEndpoints.Address(localAddressOf: $0) == new.local
            })
        else { return }
        remove(socket)
        sockets[new] = socket
        endpoints[socket] = new
    }

    mutating func remove(_ socket: curl_socket_t) {
        guard let old = endpoints.removeValue(forKey: socket), sockets[old] == socket else {
            return
        }
        sockets[old] = nil
    }
}

/// Bytes on a kept connection before a request is written. libcurl before 8.0 would take them for
/// the response to that request, although they follow an earlier response, or no request at all
/// (RFC 9112, section 9.2).
enum UnsolicitedData {
    static let isAccepted = CurlLibrary.version < 0x080000

    /// Whether the reused connection that a request is about to be written to has unread bytes.
    /// Records the socket of a new connection for later requests.
    ///
    /// Call when libcurl has chosen a connection and has not written to it.
    ///
    /// - Parameter afterHead: Whether a head is stored: it belongs to a challenge, which is
    ///   answered on the same connection.
    static func isOn(
        _ handle: CurlHandle, _ endpoints: ConnectionEndpoints, afterHead: Bool
    ) -> Bool {
        guard isAccepted else { return false }
        let (easy, context) = (handle.easy, handle.context)
        guard easy.long(CURLINFO_NUM_CONNECTS) == 0 || afterHead else {
            context.sockets.add(endpoints, among: handle.openedSockets)
            return false
        }
        // Over HTTP/2 the server may send frames at any time.
        guard handle.speaksHTTP2 == false, let socket = context.sockets[endpoints] else {
            return false
        }
        return SocketPeek(socket) == .bytes
            || OpenSSL.installed?.hasPendingData(easy) == true
    }
}

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
