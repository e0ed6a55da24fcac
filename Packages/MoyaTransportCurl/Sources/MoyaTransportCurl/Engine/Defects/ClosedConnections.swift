#if CURL
// Versions: all.
// Test: ClosedConnectionsTests.
// Without them: nothing.

import CMoyaCurl

/// Kept HTTP/2 connections that the server has closed without a GOAWAY. libcurl's check whether the
/// connection is alive (`http2_connisalive` in `lib/http2.c`) treats the end of the TLS connection
/// as a read without bytes, and the next request on the connection would be lost.
enum ClosedConnections {
    /// Whether the server has closed the kept HTTP/2 connection that libcurl has chosen.
    ///
    /// Call before libcurl writes the request. With libcurl before 8.0, `endpoints` find the
    /// socket; later versions check the socket themselves.
    static func isOne(of handle: CurlHandle, _ endpoints: ConnectionEndpoints?) -> Bool {
        let easy = handle.easy
        guard easy.long(CURLINFO_NUM_CONNECTS) == 0, handle.speaksHTTP2 == true else {
            return false
        }
        // libcurl has read the close_notify. The socket may not show it: the FIN may arrive only
        // after libcurl has sent its own close_notify.
        if OpenSSL.installed?.hasReceivedCloseNotify(easy) == true { return true }
        guard let endpoints, let socket = handle.context.sockets[endpoints] else { return false }
        return SocketPeek(socket) == .closed
    }
}
#endif
