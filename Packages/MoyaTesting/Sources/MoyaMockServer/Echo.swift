import Foundation
import MoyaCore
import MoyaStubs

/// Description of a request, returned by the echoing routes of ``MockServer/httpbin``.
public struct Echo: Codable, Sendable, Equatable {
    /// HTTP method.
    public var method: String
    /// The whole URL, with the host of the `Host` field.
    public var url: String
    /// Path and query, as received.
    public var target: String
    /// The path, percent-decoded.
    public var path: String
    /// Query parameters. Of several with the same name, the last one.
    public var args: [String: String]
    /// Header fields with names in lower case. Several values of one name are joined by commas.
    public var headers: [String: String]
    /// The body as text. Empty for a body over 64 KiB.
    public var data: String
    /// The body as JSON. `null` for a body that is not a JSON object or array, or over 64 KiB.
    public var json: JSONValue
    /// Size of the body in bytes.
    public var bodyLength: Int

    /// Describes `request`. Omits a body over 64 KiB.
    public init(_ request: MockRequest) {
        let shown = request.bodyLength <= 64 << 10 ? request.body : Data()
        method = request.method
        url = "http://\(request.value(for: "Host") ?? "127.0.0.1")\(request.target)"
        target = request.target
        path = request.path
        args = Dictionary(
            request.queryItems.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { $1 })
        headers = Dictionary(
            request.headers.map { ($0.name.lowercased(), $0.value) },
            uniquingKeysWith: { "\($0), \($1)" })
        data = String(decoding: shown, as: UTF8.self)
        let isDocument = shown.first { !" \t\r\n".utf8.contains($0) }.map("{[".utf8.contains)
        json =
            isDocument == true
            ? (try? JSONDecoder().decode(JSONValue.self, from: shown)) ?? .null : .null
        bodyLength = request.bodyLength
    }
}
