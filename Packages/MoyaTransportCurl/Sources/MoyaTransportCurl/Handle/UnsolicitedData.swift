import CCurl
import Foundation

/// A kept connection that holds bytes before a request was written to it. libcurl before 8.0 would take them for the answer
/// to that request, although they came behind an earlier answer, or unasked (RFC 9112, section 9.2).
struct UnsolicitedData: Error {}

/// The sockets of connections by their ports, which is how libcurl names a connection before a request is written to it.
struct SocketsByPorts {
    struct Ports: Hashable {
        let local: Int32
        let remote: Int32
    }

    private var sockets: [Ports: curl_socket_t] = [:]
    private var ports: [curl_socket_t: Ports] = [:]

    subscript(ports: Ports) -> curl_socket_t? { sockets[ports] }

    /// One of the sockets in `opened` has become the connection with these ports.
    mutating func add(_ new: Ports, among opened: [curl_socket_t]) {
        guard let socket = opened.last(where: { JudgedConnections.port(of: $0) == new.local })
        else { return }
        remove(socket)
        sockets[new] = socket
        ports[socket] = new
    }

    mutating func remove(_ socket: curl_socket_t) {
        guard let old = ports.removeValue(forKey: socket), sockets[old] == socket else { return }
        sockets[old] = nil
    }
}

extension CurlHandle {
    /// Whether the connection that a request is about to be written to holds bytes that no request has asked for.
    ///
    /// Called when a connection is chosen and nothing is written.
    func holdsUnsolicitedData(_ ports: SocketsByPorts.Ports) -> Bool {
        guard !CurlLibrary.leavesConnectionsWithInput else { return false }
        guard easy.long(CURLINFO_NUM_CONNECTS) == 0 || head.count > 0 else {
            driver.sockets.add(ports, among: openedSockets)
            return false
        }
        guard speaksHTTP1, let socket = driver.sockets[ports] else { return false }
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
