import Foundation
import MoyaCore
import MoyaStubs

/// A response of a mock server, valid or faulty.
public struct MockResponse: Sendable {
    /// The body of a response.
    public enum Body: Sendable {
        /// No body and no `Content-Length`. Unless the status forbids a body, closing the
        /// connection ends the response.
        case none
        /// These bytes, with their count as `Content-Length`.
        case data(Data)
        /// These pieces in chunked transfer coding, `interval` seconds apart.
        case chunked([Data], interval: TimeInterval = 0)
        /// `byteCount` bytes with `Content-Length`. Each byte is the low byte of its index.
        case pattern(byteCount: Int)
        /// These bytes without `Content-Length`. Closing the connection ends the response.
        case untilClose(Data)
    }

    /// Behaviour of the connection after a response.
    public enum End: Sendable {
        /// Stays open for the next request.
        case keepAlive
        /// The server closes the connection (TCP FIN).
        case close
        /// The server resets the connection (TCP RST).
        case reset
        /// Stays open, but the server sends nothing more.
        case stall
        /// The server closes its sending side and waits until the client closes the connection.
        case halfClose
    }

    /// Bytes in place of the response.
    var rawBytes: Data?
    /// Status code.
    public var status: Int
    /// Reason phrase. `nil` sends the standard phrase.
    public var reason: String?
    /// Header fields. The server adds `Content-Length` or `Transfer-Encoding`.
    public var headers: [HeaderField]
    /// Body.
    public var body: Body
    /// Informational responses before this response (RFC 9110, section 15.2), with a status from
    /// 102 to 199.
    var informational: [(status: Int, headers: [HeaderField])] = []
    /// Trailer fields (RFC 9110, section 6.5). HTTP/1.1 allows them only in chunked bodies, so a
    /// body of `.data` becomes chunked.
    var trailers: [HeaderField] = []
    /// Seconds before the first byte.
    public var delay: TimeInterval = 0
    /// Seconds between the header section and the body.
    public var bodyDelay: TimeInterval = 0
    /// Seconds between the body and the end of the message: the last chunk, or END_STREAM in
    /// HTTP/2.
    var endDelay: TimeInterval = 0
    /// Maximum rate of the body, in bytes per second. `nil` is unlimited.
    public var bytesPerSecond: Int?
    /// Behaviour of the connection after the response.
    public var end = End.keepAlive
    /// Number of body bytes after which the response breaks off, and the connection ends as ``end``
    /// says. `nil` sends all.
    var truncateBody: Int?

    /// Creates a response. Nothing is validated: a test may make an invalid response.
    public init(
        status: Int = 200, reason: String? = nil, headers: [HeaderField] = [],
        body: Body = .data(Data())
    ) {
        self.status = status
        self.reason = reason
        self.headers = headers
        self.body = body
    }

    /// A response with `object` as JSON with sorted keys.
    public static func json(_ object: some Encodable, status: Int = 200) -> MockResponse {
        encoding(object, status: status)
    }

    /// A response with a JSON literal: `.json(["id": 5, "title": "x"])`.
    public static func json(_ value: JSONValue, status: Int = 200) -> MockResponse {
        encoding(value, status: status)
    }

    private static func encoding(_ object: some Encodable, status: Int) -> MockResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // A value that cannot be encoded becomes a 500 response with an explanation.
        guard let data = try? encoder.encode(object) else {
            return .text("The mock's object is no JSON.", status: 500)
        }
        return MockResponse(status: status, body: .data(data))
            .adding("Content-Type", "application/json")
    }

    /// `count` zero bytes, at most 1 GiB, compressed to less than a hundredth of their size. For
    /// testing limits on decompressed bodies.
    public static func compressedZeros(_ count: Int) -> MockResponse {
        MockResponse(body: .data(Zlib.compress(zeros: min(max(0, count), 1 << 30), .deflate)))
            .adding("Content-Encoding", "deflate")
    }

    /// A response with plain text.
    public static func text(_ text: String, status: Int = 200) -> MockResponse {
        MockResponse(status: status, body: .data(Data(text.utf8)))
            .adding("Content-Type", "text/plain; charset=utf-8")
    }

    /// A redirect to `location`.
    public static func redirect(to location: String, status: Int = 302) -> MockResponse {
        MockResponse(status: status, headers: [HeaderField(name: "Location", value: location)])
    }

    /// These bytes in place of a response, followed by `end`.
    public static func raw(_ bytes: Data, then end: End = .close) -> MockResponse {
        MockResponse().ending(end).with { $0.rawBytes = bytes }
    }

    /// No response, followed by `end`.
    public static func silence(then end: End) -> MockResponse {
        raw(Data(), then: end)
    }

    /// Returns this response with a delay of `seconds` before its first byte.
    public func delayed(by seconds: TimeInterval) -> MockResponse {
        with { $0.delay = seconds }
    }

    /// Returns this response, cut off after `count` bytes of its body.
    public func truncated(after count: Int, then end: End = .close) -> MockResponse {
        ending(end).with { $0.truncateBody = count }
    }

    /// Returns this response, followed by `end`.
    public func ending(_ end: End) -> MockResponse {
        with { $0.end = end }
    }

    /// Returns this response with an additional header field.
    public func adding(_ name: String, _ value: String) -> MockResponse {
        with { $0.headers.append(HeaderField(name: name, value: value)) }
    }

    /// Returns a copy of this response with a change.
    func with(_ change: (inout MockResponse) -> Void) -> MockResponse {
        var response = self
        change(&response)
        return response
    }
}
