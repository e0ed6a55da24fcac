import Foundation
import MoyaCore

/// What ``MockServer`` answers a request with, faults included.
public struct MockResponse: Sendable {
    /// The body of a response.
    public enum Body: Sendable {
        /// No body, and no Content-Length. Where the status allows one, closing ends the response.
        case none
        /// These bytes, with their count as Content-Length.
        case data(Data)
        /// These pieces with chunked transfer coding, with a pause of `interval` seconds in between.
        case chunked([Data], interval: TimeInterval = 0)
        /// `byteCount` bytes, each the low byte of its index, with Content-Length.
        case pattern(byteCount: Int)
        /// These bytes after the header fields, with nothing said about their length.
        case untilClose(Data)
    }

    /// How a connection goes on after a response.
    public enum End: Sendable {
        /// It stays open for the next request.
        case keepAlive
        /// It is closed in order.
        case close
        /// It is reset.
        case reset
        /// It stays open, and the server says nothing more.
        case stall
        /// The server's half is closed, and the client's stays open until the client leaves.
        case halfClose
    }

    /// A response that comes before the one that counts (RFC 9110, section 15.2).
    public struct Informational: Sendable {
        /// The status code, from 102 to 199.
        public var status: Int
        /// The header fields.
        public var headers: [HeaderField]

        /// One for ``MockResponse/informational``. ``MockResponse/preceded(by:headers:)`` is shorter.
        public init(status: Int, headers: [HeaderField] = []) {
            self.status = status
            self.headers = headers
        }
    }

    enum Kind {
        case response
        case raw(Data)
    }

    var kind = Kind.response
    /// The status code.
    public var status: Int
    /// The reason phrase. `nil` means the usual one.
    public var reason: String?
    /// The header fields. Content-Length and Transfer-Encoding are added for the body.
    public var headers: [HeaderField]
    /// The body.
    public var body: Body
    /// The responses that come before this one.
    public var informational: [Informational] = []
    /// The fields after the body (RFC 9110, section 6.5). HTTP/1.1 has a place for them in chunked bodies alone, so
    /// a body of `.data` becomes one.
    public var trailers: [HeaderField] = []
    /// Seconds to wait before the first byte.
    public var delay: TimeInterval = 0
    /// Seconds to wait between the header fields and the body.
    public var bodyDelay: TimeInterval = 0
    /// Seconds to wait between the body and what ends it: the last chunk, or in HTTP/2 END_STREAM.
    public var endDelay: TimeInterval = 0
    /// How many bytes of the body are sent in a second. `nil` is as many as the connection takes.
    public var bytesPerSecond: Int?
    /// What comes after the response.
    public var end = End.keepAlive
    /// Ends the connection, as ``end`` says, after this many bytes of the body.
    public var truncateBody: Int?

    /// An empty 200 unless you say otherwise. Nothing is checked: a response may be as wrong as a test wants it.
    public init(
        status: Int = 200, reason: String? = nil, headers: [HeaderField] = [],
        body: Body = .data(Data())
    ) {
        self.status = status
        self.reason = reason
        self.headers = headers
        self.body = body
    }

    /// `object` as JSON, keys sorted.
    public static func json(_ object: some Encodable, status: Int = 200) -> MockResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // What a test hands in that is no JSON shows up as a 500 that says so.
        guard let data = try? encoder.encode(object) else {
            return .text("The mock's object is no JSON.", status: 500)
        }
        return MockResponse(
            status: status, headers: [HeaderField(name: "Content-Type", value: "application/json")],
            body: .data(data))
    }

    /// `count` zero bytes, compressed to less than a hundredth of that: for limits on what is
    /// decompressed. At most 1 GiB.
    public static func compressedZeros(_ count: Int) -> MockResponse {
        MockResponse(
            headers: [HeaderField(name: "Content-Encoding", value: "deflate")],
            body: .data(Zlib.compress(zeros: min(max(0, count), 1 << 30), .deflate)))
    }

    /// Plain text.
    public static func text(_ text: String, status: Int = 200) -> MockResponse {
        MockResponse(
            status: status,
            headers: [HeaderField(name: "Content-Type", value: "text/plain; charset=utf-8")],
            body: .data(Data(text.utf8)))
    }

    /// A redirect to `location`.
    public static func redirect(to location: String, status: Int = 302) -> MockResponse {
        MockResponse(status: status, headers: [HeaderField(name: "Location", value: location)])
    }

    /// These bytes in place of a response, and then `end`.
    public static func raw(_ bytes: Data, then end: End = .close) -> MockResponse {
        var response = MockResponse()
        response.kind = .raw(bytes)
        response.end = end
        return response
    }

    /// Not a byte, and then `end`.
    public static func silence(then end: End) -> MockResponse {
        raw(Data(), then: end)
    }

    /// The same response after `seconds`.
    public func delayed(by seconds: TimeInterval) -> MockResponse {
        var response = self
        response.delay = seconds
        return response
    }

    /// The same response, cut off after `count` bytes of its body.
    public func truncated(after count: Int, then end: End = .close) -> MockResponse {
        var response = self
        response.truncateBody = count
        response.end = end
        return response
    }

    /// The same response, and then `end`.
    public func ending(_ end: End) -> MockResponse {
        var response = self
        response.end = end
        return response
    }

    /// The same response with one more header field.
    public func adding(_ name: String, _ value: String) -> MockResponse {
        var response = self
        response.headers.append(HeaderField(name: name, value: value))
        return response
    }
}
