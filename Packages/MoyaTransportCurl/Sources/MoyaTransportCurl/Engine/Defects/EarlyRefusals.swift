#if CURL
// Versions: before 8.0.0.
// Test: EarlyRefusalsTests.
// Without them: this file, and its use in `MultiHandle.act`.

import CMoyaCurl

/// Servers that refuse a request before they have its body, and close the connection. The refusal
/// may be in the socket's buffer when sending the rest of the body fails. libcurl before 8 reads a
/// socket only if the caller reports it as readable.
enum EarlyRefusals {
    /// The events to report to libcurl for a socket that is ready for those in `bits`: reading
    /// before each writing, because a response may have arrived since the poller looked.
    static func readingFirst(_ bits: Int32) -> Int32 {
        bits & CURL_CSELECT_OUT == 0 ? bits : bits | CURL_CSELECT_IN
    }
}
#endif
