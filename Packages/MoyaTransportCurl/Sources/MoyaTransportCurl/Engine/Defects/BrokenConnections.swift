#if CURL
import CMoyaCurl

// Connections that failed in a way libcurl does not detect, so that it would reuse them.
extension CurlDriver {
    /// Records that a failed transfer may have left a broken connection in libcurl's pool, as
    /// happens with connections that can be shared.
    ///
    /// A connection that had no memory for the HTTP/2 preface never proceeds, and other transfers
    /// wait for it. A connection whose receiving side had no memory crashes nghttp2 when more bytes
    /// arrive. libcurl does not always report that the cause was memory.
    func noteBrokenConnection(_ code: CURLcode, _ handle: CurlHandle) {
        let easy = handle.easy
        switch code {
        case CURLE_OUT_OF_MEMORY, CURLE_HTTP2, CURLE_SEND_ERROR, CURLE_RECV_ERROR:
            // A tunnel that the proxy refused was never a connection to the server.
            guard configuration.httpVersion != .http1, easy.long(CURLINFO_HTTP_CONNECTCODE) < 300,
                easy.long(CURLINFO_HTTP_VERSION) == Int(CURL_HTTP_VERSION_2_0)
                    || easy.keptSocket != nil
                    || easy.long(CURLINFO_REQUEST_SIZE) == 0
            else { return }
            idleConnections.hasBroken = true
        default: break
        }
    }

    /// Closes every idle connection if a broken one has been recorded.
    func closeBrokenConnection() {
        guard idleConnections.takeBroken() else { return }
        // Needs no memory, which may be exhausted.
        if handles.active.isEmpty { return giveUpMulti(CurlError(CURLE_OUT_OF_MEMORY)) }
        closeIdleConnections()
    }
}
#endif
