#if CURL
// Versions: all.
// Test: HandshakeLimitTests, HandshakeLimitStateTests.
// Without them: nothing.

import CMoyaCurl
import Foundation

/// Stops a peer that sends handshake messages without end, which OpenSSL processes at the expense
/// of all other transfers: limits their bytes over the life of a connection.
///
/// A handshake has a certificate chain of at most 100 KiB (OpenSSL's limit) and a few other
/// messages. Session tickets and key updates are short.
struct HandshakeLimit {
    static let bytes = 256 << 10

    private struct Handshake {
        let socket: curl_socket_t
        var count = 0
    }

    /// Keyed by OpenSSL's context. libcurl creates one for each connection.
    private var handshakes: [UnsafeMutableRawPointer: Handshake] = [:]
    /// OpenSSL's context for each socket.
    private var contexts: [curl_socket_t: UnsafeMutableRawPointer] = [:]

    /// A connection starts its handshake. Nothing is counted if its socket is unknown.
    mutating func begin(_ context: UnsafeMutableRawPointer, on socket: curl_socket_t?) {
        handshakes[context] = socket.map { Handshake(socket: $0) }
        if let socket { contexts[socket] = context }
    }

    mutating func close(_ socket: curl_socket_t) {
        guard let context = contexts.removeValue(forKey: socket),
            handshakes[context]?.socket == socket
        else { return }
        handshakes[context] = nil
    }

    /// Counts a message of `count` bytes. Returns the connection's socket when the limit is
    /// exceeded.
    mutating func note(_ count: Int, of context: UnsafeMutableRawPointer) -> curl_socket_t? {
        guard var handshake = handshakes[context] else { return nil }
        handshake.count += count
        guard handshake.count > Self.bytes else {
            handshakes[context] = handshake
            return nil
        }
        handshakes[context] = nil
        return handshake.socket
    }

    /// The socket among `opened` that is connected.
    static func connectedSocket(among opened: [curl_socket_t]) -> curl_socket_t? {
        opened.last { sockaddr_storage(of: $0, getpeername) != nil }
    }
}
#endif
