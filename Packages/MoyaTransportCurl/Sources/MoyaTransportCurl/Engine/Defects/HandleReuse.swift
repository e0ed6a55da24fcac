#if CURL
// Versions: 7.72.0 to 8.16.0.
// Test: HandleReuseTests.
// Without them: this file, and its use in `CurlHandle.serves`.

/// State of the previous transfer that an easy handle keeps. With these versions it carries one
/// transfer (`CurlHandle.serves(_:)`):
///
/// - 7.84.0 to 8.0.1 keep a pointer to its last header field. If the first field line of the
///   next response begins with whitespace, they append to that freed field: any server can
///   corrupt the heap.
/// - 7.72.0 to 8.16.0 keep the number of retries on connections that the server has closed.
///   After five in total, a request fails that would have succeeded on a new connection.
enum HandleReuse {
    static let isSafe = CurlLibrary.version >= 0x081100
}
#endif
