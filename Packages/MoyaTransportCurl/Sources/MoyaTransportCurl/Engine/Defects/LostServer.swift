#if CURL
import CMoyaCurl

// Servers that close the connection while a request is in flight.
extension CurlDriver {
    /// Whether an HTTP/2 server closed the connection before it responded to a request that may be
    /// repeated: during its shutdown, or on a kept connection. libcurl repeats such a request only
    /// if other transfers use the connection too.
    func hasLostServer(_ code: CURLcode, _ attempt: Attempt) -> Bool {
        let hasGone =
            code == CURLE_HTTP2
            || code == CURLE_PARTIAL_FILE && attempt.easy.long(CURLINFO_NUM_CONNECTS) == 0
        guard hasGone, !attempt.reader.hasAnswer, attempt.failure == nil,
            !attempt.transfer.repeats.lostServer
        else { return false }
        if attempt.transfer.hasStream { return false }
        return attempt.handle.profile?.isIdempotent == true || attempt.upload.refusal.isCertain
    }
}
#endif
