#if CURL
// Versions: all.
// Test: LostServerTests.
// Without them: nothing.

import CMoyaCurl

/// Servers that close the connection while a request is in flight.
enum LostServer {
    /// Whether an HTTP/2 server closed the connection before it responded to a request that may be
    /// repeated: during its shutdown, or on a kept connection. libcurl repeats such a request only
    /// if other transfers use the connection too.
    static func isOne(of attempt: Attempt, _ code: CURLcode) -> Bool {
        let hasGone =
            code == CURLE_HTTP2
            || code == CURLE_PARTIAL_FILE && attempt.easy.long(CURLINFO_NUM_CONNECTS) == 0
        guard hasGone, !attempt.reader.hasAnswer, attempt.failure == nil,
            !attempt.transfer.hasStream,
            attempt.handle.profile?.isIdempotent == true || attempt.upload.refusal.isCertain
        else { return false }
        return !exchange(&attempt.transfer.repeats.lostServer, with: true)
    }
}
#endif
