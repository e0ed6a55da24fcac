#if CURL
import CMoyaCurl
import Foundation

// Closing idle connections. libcurl has no function for that. It closes connections that are too
// old, or too many, when a request needs a connection. So a dummy request asks for one and never
// gets it.
extension CurlDriver {
    /// Closes idle connections as long as there are more than `count` connections, with those in
    /// use. By default, closes every idle connection.
    func closeIdleConnections(above count: Int = 0) {
        guard multi.raw != nil else { return }
        do throws(CurlError) {
            var before = -1
            while before != idleConnections.closedCount {
                before = idleConnections.closedCount
                // With a new request there would be more connections than this limit, so libcurl
                // closes an idle one. Set each time, because transfers that end during the request
                // may change it.
                try multi.set(CURLMOPT_MAX_TOTAL_CONNECTIONS, count + 1)
                runDummyRequest()
            }
            if multi.raw != nil { try limitConnections(beside: handles.active.count) }
        } catch {
            giveUpMulti(error)
        }
    }

    /// Records whether too many connections are idle after several transfers have ended in one call
    /// of libcurl. While it was running, the size of its pool included all of them
    /// (``resizePool(beside:)``).
    func noteSurplus() {
        if watchdog.socketCount > idleConnections.limit + handles.active.count {
            idleConnections.hasSurplus = true
        }
    }

    /// Starts a request that may not open a socket, to trigger the cleanup that libcurl does when a
    /// transfer starts.
    ///
    /// - Parameter resolve: Changes to libcurl's DNS cache, in the form of `CURLOPT_RESOLVE`.
    func runDummyRequest(resolve: UnsafeMutablePointer<curl_slist>? = nil) {
        guard multi.raw != nil, let raw = curl_easy_init() else { return }
        defer { curl_easy_cleanup(raw) }
        let easy = EasyHandle(raw: raw, options: context.options)
        do throws(CurlError) {
            try easy.set(CURLOPT_URL, "http://127.0.0.1/")
            try easy.set(CURLOPT_PROXY, "")
            try easy.set(CURLOPT_NOSIGNAL, true)
            try easy.set(CURLOPT_FRESH_CONNECT, true)
            try easy.set(CURLOPT_MAXAGE_CONN, CurlHandle.seconds(configuration.idleTimeout))
            if let resolve { try easy.set(CURLOPT_RESOLVE, pointer: resolve) }
            try easy.check(
                CURLOPT_OPENSOCKETFUNCTION,
                moya_easy_set_open_callback(raw) { _, _, _ in CURL_SOCKET_BAD })
        } catch {
            return
        }
        guard curl_multi_add_handle(multi.raw, raw) == CURLM_OK else { return }
        act(CURL_SOCKET_TIMEOUT, 0)
        _ = curl_multi_remove_handle(multi.raw, raw)
        // While the dummy request waits for a connection, libcurl counts it as running. So `act`
        // may have missed that a transfer has finished.
        takeMessages()
    }
}
#endif
