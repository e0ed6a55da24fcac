#if CURL
// Versions: before 8.17.0.
// Test: HTTP3ChoiceTests.
// Without them: this file, and its use in `NetworkOptions`.

/// The TLS versions that libcurl offers over QUIC, which needs TLS 1.3 (RFC 9001, section 4.2). A
/// libcurl before 8.17 offers an older one if that is allowed, and servers refuse it. libcurl has
/// one option for QUIC and for its fallback, so that the fallback needs TLS 1.3 too.
enum QUICVersions {
    static let areTooOld = CurlLibrary.version < 0x081100
}
#endif
