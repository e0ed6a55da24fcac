import Foundation
import MoyaCore

/// A request as ``MockServer`` received it.
public struct MockRequest: Sendable, Equatable {
    /// The method, as it was sent.
    public var method: String
    /// The request target, as it was sent: path and query, escapes and all.
    public var target: String
    /// The header fields, in the order received.
    public var headers: [HeaderField]
    /// The body. Recorded requests keep bodies up to 1 MiB; ``bodyLength`` is always right.
    public var body: Data
    /// The number of bytes in the body.
    public var bodyLength: Int
    /// Which of the server's connections the request came over, counted from 1.
    public var connectionID: Int
    /// The protocol's ALPN name: `http/1.1` or `h2` (RFC 7301).
    public var protocolName = "http/1.1"
    /// What stood in place of the placeholders of a route. See ``RecordingServer/on(_:_:respond:)``.
    public var parameters: [String: String] = [:]

    /// The path, decoded.
    public var path: String {
        let raw = target.prefix { $0 != "?" }
        return raw.removingPercentEncoding ?? String(raw)
    }

    /// The pairs of the query, decoded.
    public var queryItems: [URLQueryItem] {
        URLComponents(string: target)?.queryItems ?? []
    }

    /// The value of the header field `name`, whatever its case.
    public func value(for name: String) -> String? {
        headers.values(for: name).first
    }
}
