#if CURL
// Versions: all.
// Test: StreamRefusalTests, LostServerTests.
// Without them: nothing.

import Foundation

/// libcurl's messages about a request that an HTTP/2 server has refused without processing it: by
/// REFUSED_STREAM, or by a GOAWAY below the stream's number (RFC 9113, section 8.7).
///
/// libcurl repeats a refused request as it repeats one whose kept connection was lost, which the
/// server may have processed. Only its messages tell the two apart. libcurl logs
/// REFUSED_STREAM only on a new connection.
struct StreamRefusal {
    private var stream: UInt32?
    private var lastProcessed: UInt32?
    private var isReset = false

    /// Whether the server has refused the stream that was opened last.
    var isCertain: Bool {
        if isReset { return true }
        guard let stream, let lastProcessed else { return false }
        return stream > lastProcessed
    }

    /// Beginnings of libcurl's messages about a GOAWAY frame. The first one is that of libcurl
    /// 7.88.
    private static let goAways = ["recveived GOAWAY, error=", "received GOAWAY, error="]

    /// Notes one of libcurl's messages. Only their beginnings count: a message about a cookie also
    /// contains text of the server.
    mutating func note(_ message: String) {
        if let stream = Self.openedStream(message) {
            self = StreamRefusal()
            self.stream = stream
        } else if Self.goAways.contains(where: message.hasPrefix) {
            lastProcessed = Self.number(after: "last_stream=", in: message) ?? lastProcessed
        } else if message.hasPrefix("REFUSED_STREAM") {
            isReset = true
        }
    }

    /// The number of the stream in `Using Stream ID: 3 (easy handle …)` of libcurl before 8.1, or
    /// in `[HTTP/2] [3] OPENED stream for …`.
    private static func openedStream(_ message: String) -> UInt32? {
        let trace = "[HTTP/2] ["
        if message.hasPrefix(trace), message.contains("] OPENED stream") {
            return number(after: trace, in: message)
        }
        let older = "Using Stream ID: "
        return message.hasPrefix(older) ? number(after: older, in: message) : nil
    }

    private static func number(after mark: String, in message: String) -> UInt32? {
        message.range(of: mark).flatMap {
            UInt32(message[$0.upperBound...].prefix { $0.isASCII && $0.isNumber })
        }
    }
}
#endif
