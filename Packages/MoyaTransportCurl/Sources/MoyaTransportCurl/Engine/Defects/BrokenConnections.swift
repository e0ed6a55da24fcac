#if CURL
// Versions: all.
// Test: BrokenConnectionsTests.
// Without them: nothing.

import CMoyaCurl

/// Connections that failed in a way libcurl does not detect, so that it would reuse them. Every
/// idle connection is closed then.
enum BrokenConnections {
    /// Whether an attempt that ended with `code` may have left a broken connection in libcurl's
    /// pool, as happens with connections that can be shared.
    ///
    /// A connection that had no memory for the HTTP/2 preface never proceeds, and other transfers
    /// wait for it. A connection whose receiving side had no memory crashes nghttp2 when more bytes
    /// arrive. libcurl does not always report that the cause was memory.
    static func mayBeLeft(by attempt: Attempt, _ code: CURLcode) -> Bool {
        let easy = attempt.easy
        switch code {
        case CURLE_OUT_OF_MEMORY, CURLE_HTTP2, CURLE_SEND_ERROR, CURLE_RECV_ERROR:
            // A tunnel that the proxy refused was never a connection to the server.
            return attempt.handle.configuration.httpVersion != .http1
                && easy.long(CURLINFO_HTTP_CONNECTCODE) < 300
                && (easy.long(CURLINFO_HTTP_VERSION) == Int(CURL_HTTP_VERSION_2_0)
                    || easy.keptSocket != nil || !attempt.hasSentRequest)
        default: return false
        }
    }
}
#endif
