#if CURL
import CMoyaCurl

// Connections that broke without libcurl's notice: it would use them again.
extension CurlDriver {
    /// Takes note of a transfer that has failed for what may be wrong with its connection, where libcurl keeps that, as it does
    /// with one that could be shared.
    ///
    /// One that had no memory for what HTTP/2 says first never gets any further, and others wait for it. What comes in on
    /// one that had none for what came before ends the process (nghttp2). That it was memory is not always told.
    func noteBrokenConnection(_ code: CURLcode, _ handle: CurlHandle) {
        if keepsBrokenConnection(code, handle) { idleConnections.hasBroken = true }
    }

    private func keepsBrokenConnection(_ code: CURLcode, _ handle: CurlHandle) -> Bool {
        // A tunnel that a proxy has refused never became one.
        guard configuration.httpVersion != .http1, handle.easy.long(CURLINFO_HTTP_CONNECTCODE) < 300
        else { return false }
        switch code {
        case CURLE_OUT_OF_MEMORY, CURLE_HTTP2, CURLE_SEND_ERROR, CURLE_RECV_ERROR:
            return handle.easy.long(CURLINFO_HTTP_VERSION) == 3
                || handle.easy.keptSocket != nil || handle.easy.long(CURLINFO_REQUEST_SIZE) == 0
        default: return false
        }
    }

    /// Closes a broken connection that has been noted, and every other idle one with it.
    func closeBrokenConnection() {
        guard idleConnections.takeBroken() else { return }
        // Needs no memory, which may have been what was missing.
        if handles.active.isEmpty { return giveUpMulti(CurlError(CURLE_OUT_OF_MEMORY)) }
        closeIdleConnections()
    }
}
#endif
