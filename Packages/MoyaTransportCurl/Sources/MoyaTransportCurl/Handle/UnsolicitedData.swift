import CCurl
import Foundation

/// A kept connection that holds bytes before a request was written to it. libcurl before 8.0 would take them for the answer
/// to that request, although they came behind an earlier answer, or unasked (RFC 9112, section 9.2).
struct UnsolicitedData: Error {}

/// The sockets of connections, by which a connection that libcurl is about to use can be looked at.
struct SocketsByEndpoints {
    private var sockets: [ConnectionEndpoints: curl_socket_t] = [:]
    private var endpoints: [curl_socket_t: ConnectionEndpoints] = [:]

    subscript(endpoints: ConnectionEndpoints) -> curl_socket_t? { sockets[endpoints] }

    /// One of the sockets in `opened` has become the connection between these endpoints.
    mutating func add(_ new: ConnectionEndpoints, among opened: [curl_socket_t]) {
        guard
            let socket = opened.last(where: { ConnectionEndpoints.Address(of: $0) == new.local })
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
    /// Whether the connection that a request is about to be written to holds bytes that no request has asked for.
    ///
    /// Called when a connection is chosen and nothing is written.
    func holdsUnsolicitedData(_ endpoints: ConnectionEndpoints) -> Bool {
        guard !CurlLibrary.leavesConnectionsWithInput else { return false }
        guard easy.long(CURLINFO_NUM_CONNECTS) == 0 || head.count > 0 else {
            driver.sockets.add(endpoints, among: openedSockets)
            return false
        }
        guard speaksHTTP1, let socket = driver.sockets[endpoints] else { return false }
        var byte: UInt8 = 0
        return recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0
            || OpenSSL.installed?.hasPendingData(easy) == true
    }

    /// Whether the server may only speak when it is asked. Over HTTP/2 it may at any time.
    private var speaksHTTP1: Bool {
        if profile?.isSecure == true, configuration.httpVersion != .http1 {
            return OpenSSL.installed.map { !$0.speaksHTTP2(easy) } ?? false
        }
        return configuration.httpVersion != .http2PriorKnowledge
    }
}
