#if CURL
// Versions: all.
// Test: SilentConnectionsTests.
// Without them: nothing.

import CMoyaCurl

/// Connections on which the server has not responded when their transfer is cancelled. Other
/// requests would wait on them as well.
enum SilentConnections {
    /// Idle time in nanoseconds after which the peer may be unreachable.
    private static let longSilence: UInt64 = 1_000_000_000

    /// Whether the server of an attempt may be unreachable, or may not speak HTTP/2.
    static func isOne(of attempt: Attempt, now: UInt64) -> Bool {
        guard !attempt.reader.hasAnswer else { return false }
        return attempt.times.lastActivity &+ longSilence < now || isUnanswered(attempt.handle)
    }

    /// Whether `handle` has opened a connection that may turn out not to speak HTTP/2, because no
    /// response has come on it yet. Recent versions of libcurl make every request to the host wait
    /// for that result, even after the transfer has ended.
    private static func isUnanswered(_ handle: CurlHandle) -> Bool {
        handle.configuration.httpVersion == .http2PriorKnowledge
            && handle.profile?.isSecure == false
            && handle.easy.long(CURLINFO_NUM_CONNECTS) > 0
    }
}
#endif
