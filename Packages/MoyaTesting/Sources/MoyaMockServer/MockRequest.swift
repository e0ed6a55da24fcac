import Foundation
import MoyaCore

/// A request as a mock server received it.
public struct MockRequest: Sendable, Equatable {
    /// HTTP method, as received.
    public var method: String
    /// Request target, as received: path and query, percent-encoded.
    public var target: String
    /// Header fields in the order received.
    public var headers: [HeaderField]
    /// The body. ``RecordingServer/requests`` omits bodies over 1 MiB; ``bodyLength`` is always
    /// set.
    public var body: Data
    /// Size of the body in bytes.
    public var bodyLength: Int
    /// Number of the connection, from 1.
    public var connectionID: Int
    /// ALPN name of the protocol: `http/1.1` or `h2` (RFC 7301).
    public var protocolName = "http/1.1"
    /// Values of the route's placeholders. See ``RecordingServer/on(_:_:respond:)``.
    public var parameters: [String: String] = [:]

    /// The path, percent-decoded.
    public var path: String {
        let raw = target.prefix { $0 != "?" }
        return raw.removingPercentEncoding ?? String(raw)
    }

    /// Query parameters, percent-decoded.
    public var queryItems: [URLQueryItem] {
        URLComponents(string: target)?.queryItems ?? []
    }

    /// Returns the value of the header field `name`. Ignores case.
    public func value(for name: String) -> String? {
        headers.values(for: name).first
    }
}
