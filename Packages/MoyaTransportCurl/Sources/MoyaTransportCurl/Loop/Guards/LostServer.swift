#if CURL
import CMoyaCurl

// Servers that go while a request is on its way.
extension CurlDriver {
    /// Whether an HTTP/2 server has gone before it answered a request that may be repeated, as it does when it shuts
    /// down, or has closed a kept connection. libcurl repeats one by itself only where others use the connection as well.
    func isUnprocessed(_ code: CURLcode, _ attempt: Attempt) -> Bool {
        let hasGone =
            code == CURLE_HTTP2
            || code == CURLE_PARTIAL_FILE && attempt.easy.long(CURLINFO_NUM_CONNECTS) == 0
        guard hasGone, !attempt.head.hasAnswer, attempt.failure == nil,
            !attempt.transfer.repeats.lostServer
        else { return false }
        // A stream may be one that can be read once.
        if case .stream = attempt.request.body { return false }
        return attempt.handle.profile?.isIdempotent == true
    }
}
#endif
