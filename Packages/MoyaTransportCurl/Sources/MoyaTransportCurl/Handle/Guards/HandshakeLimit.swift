#if CURL
import CMoyaCurl
import Foundation

/// Bounds what a peer may send as TLS handshake messages over the life of a connection.
///
/// A handshake has a certificate chain of at most 100 KiB (OpenSSL's limit) and a few messages more; session tickets and
/// key updates are short.
struct HandshakeLimit {
    static let bytes = 256 << 10

    private struct Handshake {
        let socket: curl_socket_t
        var count = 0
    }

    /// By OpenSSL's context, of which libcurl makes one for each connection.
    private var handshakes: [UnsafeMutableRawPointer: Handshake] = [:]

    /// A connection begins its handshake. Nothing is counted where its socket is not known.
    mutating func begin(_ context: UnsafeMutableRawPointer, on socket: curl_socket_t?) {
        handshakes[context] = socket.map { Handshake(socket: $0) }
    }

    /// A message of `count` bytes has come. Returns the connection's socket once there are too many.
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
}

extension CurlHandle {
    /// The one of the sockets opened for the transfer that is connected.
    var connectedSocket: curl_socket_t? {
        openedSockets.last { socket in
            var address = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            return withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    getpeername(socket, $0, &length) == 0
                }
            }
        }
    }
}
#endif
