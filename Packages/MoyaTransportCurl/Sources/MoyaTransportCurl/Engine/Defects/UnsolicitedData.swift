#if CURL
import CMoyaCurl
import Foundation

/// The reused connection has unread bytes before the request is written, or is closed. libcurl
/// before 8.0 would take the bytes for the response to that request, although they follow an
/// earlier response, or no request at all (RFC 9112, section 9.2).
struct UnusableConnection: Error {}

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

extension CurlHandle {
    /// Whether the reused connection that a request is about to be written to has unread bytes.
    /// Records the socket of a new connection for later requests.
    ///
    /// Call when libcurl has chosen a connection and has not written to it.
    ///
    /// - Parameter afterHead: Whether a head is stored: it belongs to a challenge, which is
    ///   answered on the same connection.
    func holdsUnsolicitedData(_ endpoints: ConnectionEndpoints, afterHead: Bool) -> Bool {
        guard !CurlLibrary.leavesConnectionsWithInput else { return false }
        guard easy.long(CURLINFO_NUM_CONNECTS) == 0 || afterHead else {
            context.sockets.add(endpoints, among: openedSockets)
            return false
        }
        // Over HTTP/2 the server may send frames at any time.
        guard speaksHTTP2 == false, let socket = context.sockets[endpoints] else { return false }
        return SocketPeek(socket) == .bytes
            || OpenSSL.installed?.hasPendingData(easy) == true
    }

    /// Whether the connection in use is HTTP/2. `nil` if that is unknown: only OpenSSL reports
    /// ALPN's result.
    var speaksHTTP2: Bool? {
        if profile?.isSecure == true, configuration.httpVersion != .http1 {
            return OpenSSL.installed?.speaksHTTP2(easy)
        }
        return configuration.httpVersion == .http2PriorKnowledge
    }
}

extension CurlLibrary {
    /// Whether libcurl closes a kept connection that has unread bytes before it writes a request.
    /// Without older versions, ``SocketsByEndpoints``, `holdsUnsolicitedData` and ``ReceivedBytes``
    /// go, with the reader's `lineBytes`.
    static let leavesConnectionsWithInput = version >= 0x080000
}
#endif
