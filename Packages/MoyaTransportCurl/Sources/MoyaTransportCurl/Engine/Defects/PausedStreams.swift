#if CURL
// Versions: 7.88.1 to 8.0.1.
// Test: HTTP2AnswerTests.
// Without them: this file, and its use in `CurlHandle.setCallbacks`.

/// HTTP/2 streams whose last bytes do not fit into the handle's buffer. libcurl notices the end of
/// such a stream only when more bytes arrive on the connection.
enum PausedStreams {
    static let areLost = (0x075801..<0x080100).contains(CurlLibrary.version)
    /// As much as libcurl reads of an HTTP/2 connection at once, so that all of it fits.
    static let bufferBytes = 32 << 10
}
#endif
