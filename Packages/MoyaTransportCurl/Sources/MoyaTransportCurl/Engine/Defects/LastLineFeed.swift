#if CURL
// Versions: before 8.6.0.
// Test: ChunkScanTests, SurplusDataTests.
// Without them: this file, `ChunkScan`, `takeFramed` of `ResponseReader`, `receiveFramed` of
//   `Attempt`, and the `CURLINFO_DATA_IN` of `CurlHandle.listen`.

/// The line feed that ends a chunked body. libcurl before 8.6 accepts a body without it as
/// complete, and drops bytes that follow it.
enum LastLineFeed {
    static let isMissed = CurlLibrary.version < 0x080600

    /// Shows a chunked body with its framing to the reader (`ResponseReader.takeFramed(_:)`).
    static func watch(_ handle: CurlHandle) {
        handle.isSpent = true
        handle.listen()
    }
}
#endif
