import CMoyaCurl
import Foundation

extension CurlHandle {
    /// Begins to count what comes on the connection that a request is about to be written to. `nil` where that is not HTTP/1
    /// in the clear, and with libcurl 8.0 and later, where ``SocketsByEndpoints`` is empty.
    func countHead(on endpoints: ConnectionEndpoints) -> ReceivedHead? {
        guard profile?.isSecure == false, configuration.httpVersion != .http2PriorKnowledge,
            let socket = context.sockets[endpoints]
        else { return nil }
        return ReceivedHead(on: socket)
    }

    /// Whether bytes have come behind a head that no body follows.
    func hasSurplus(behind head: ReceivedHead) -> Bool {
        // What a proxy sends over TLS is more than what it says.
        head.hasSurplus && OpenSSL.installed?.connection(of: easy) == nil
    }
}
