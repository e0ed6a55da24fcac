import CMoyaCurl
import Foundation

extension CurlHandle {
    /// Whether the reused connection that a request is about to be written to has unread bytes. Registers the socket of a new
    /// connection, for later requests.
    ///
    /// Called when libcurl has chosen a connection and has not written to it.
    func holdsUnsolicitedData(_ endpoints: ConnectionEndpoints) -> Bool {
        guard !CurlLibrary.leavesConnectionsWithInput else { return false }
        // A head that is still there is that of a challenge, which is answered on the same connection.
        let isNewConnection = easy.long(CURLINFO_NUM_CONNECTS) != 0 && head.count == 0
        guard !isNewConnection else {
            context.sockets.add(endpoints, among: openedSockets)
            return false
        }
        guard speaksHTTP1, let socket = context.sockets[endpoints] else { return false }
        var byte: UInt8 = 0
        return recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0
            || OpenSSL.installed?.hasPendingData(easy) == true
    }

    /// Whether the server may send bytes only after a request. Over HTTP/2 it may send frames at any time.
    private var speaksHTTP1: Bool {
        if profile?.isSecure == true, configuration.httpVersion != .http1 {
            // Only OpenSSL tells what ALPN has agreed upon. Without it the connection may be one of HTTP/2, whose frames are
            // no unsolicited data.
            return OpenSSL.installed.map { !$0.speaksHTTP2(easy) } ?? false
        }
        return configuration.httpVersion != .http2PriorKnowledge
    }
}
