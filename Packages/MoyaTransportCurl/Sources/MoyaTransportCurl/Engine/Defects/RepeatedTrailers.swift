#if CURL
// Versions: before 8.7.0.
// Test: RepeatedTrailersTests.
// Without them: this file, its use in `Attempt.connectionFault`, and `hasSentTrailers` of
//   `Upload`.

/// Requests whose trailer fields have been sent, and that libcurl is about to write again. libcurl
/// before 8.7 keeps the state of the first time: it omits the trailer fields, and writes up to ten
/// bytes before its upload buffer. Such a request is started again with another handle.
enum RepeatedTrailers {
    static let areBroken = CurlLibrary.version < 0x080700
    static let text = "\(CurlLibrary.name) cannot send a request with trailer fields again."
}
#endif
