import CMoyaCurl
import Foundation

// How idle connections are closed. libcurl has no call for that: it looks for those that are too old, or too many,
// when a request asks for a connection. So a dummy request asks for a connection, and never gets one.
extension CurlDriver {
    /// How long after its last transfer a connection is too old. `nil` where none is kept.
    var idleAllowance: UInt64? {
        guard configuration.maxIdleConnections > 0 else { return nil }
        // libcurl counts seconds that are over. A little more, as it looks at its clock a little later.
        return UInt64(CurlHandle.seconds(configuration.idleTimeout)) * 1_000_000_000 + 1_100_000_000
    }

    /// Takes note that a connection may be idle from now on.
    func noteIdle() {
        guard let idleAllowance else { return }
        // The time at the last look is a little early, which counts where no other transfer ends later.
        let since = active.isEmpty ? LoopClock.now() : now
        idleDue = since + idleAllowance
        nextCheck = min(nextCheck, since + idleAllowance)
    }

    /// Closes connections that have been idle for too long, when it is time for that.
    func checkIdle() {
        guard idleDue <= now else { return nextCheck = min(nextCheck, idleDue) }
        idleDue = .max
        runDummyRequest()
    }

    /// Closes every idle connection.
    func closeIdleConnections() {
        guard multi != nil else { return }
        do throws(CurlError) {
            // Where one more is one too many, libcurl closes an idle one for it.
            try set(CURLMOPT_MAX_TOTAL_CONNECTIONS, 1)
            var before = -1
            while before != closedCount {
                before = closedCount
                runDummyRequest()
            }
            if multi != nil { try limitConnections(beside: active.count) }
        } catch {
            giveUpMulti(error)
        }
    }

    /// Starts a request that may not open a socket, for the housekeeping that libcurl does when a transfer starts.
    ///
    /// - Parameter resolve: Changes to the cache of names, in the form of `CURLOPT_RESOLVE`.
    func runDummyRequest(resolve: UnsafeMutablePointer<curl_slist>? = nil) {
        guard multi != nil, let raw = curl_easy_init() else { return }
        defer { curl_easy_cleanup(raw) }
        let easy = EasyHandle(raw: raw)
        do throws(EasyHandle.OptionError) {
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
        guard curl_multi_add_handle(multi, raw) == CURLM_OK else { return }
        act(CURL_SOCKET_TIMEOUT, 0)
        _ = curl_multi_remove_handle(multi, raw)
    }
}
