#if CURL
// Versions: all.
// Test: LongHeadTests.
// Without them: nothing.

/// Limits for requests whose head does not fit into the buffers of libcurl and nghttp2:
///
/// - Over HTTP/2, nghttp2 sends at most 64 KiB of header fields. libcurl does not notice, and the
///   request fails as a lost connection. Such requests use HTTP/1.1.
/// - Over HTTP/1.1 and TLS, libcurl 7.88 sends two buffers of a head and then waits forever. Such
///   requests use a larger buffer.
enum LongHead {
    /// Length of a head that may exceed nghttp2's limit, in bytes. nghttp2 also counts a few bytes
    /// for each field, and libcurl adds fields.
    static let bytes = 48 << 10
    /// Length of libcurl's buffer, in bytes. libcurl refuses a longer head.
    static let bufferBytes = 1 << 20
}
#endif
