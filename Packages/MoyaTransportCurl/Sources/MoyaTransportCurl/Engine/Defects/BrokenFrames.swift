#if CURL
// Versions: before 8.1.0.
// Test: HTTP2CutBodyTests.
// Without them: this file, and `mayLackFrames` of `ResponseReader.End`.

/// Invalid HTTP/2 frames within a body. libcurl before 8.1 returns the bytes received so far as a
/// complete body (`ResponseReader.End.mayLackFrames`).
enum BrokenFrames {
    static let areMissed = CurlLibrary.version < 0x080100
}
#endif
