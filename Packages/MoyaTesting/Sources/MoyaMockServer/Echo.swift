import Foundation
import MoyaCore
import MoyaStubs

/// What the echoing routes of ``MockServer/httpbin`` say about a request.
public struct Echo: Codable, Sendable, Equatable {
    /// The method.
    public var method: String
    /// The whole URL, with the host the client named.
    public var url: String
    /// Path and query, as they were sent.
    public var target: String
    /// The path, decoded.
    public var path: String
    /// The query's pairs. The last of several with one name.
    public var args: [String: String]
    /// The header fields, names in lower case, several of one name joined with a comma.
    public var headers: [String: String]
    /// The body, as text. Empty for a body of more than 64 KiB.
    public var data: String
    /// The body, where it is JSON of at most 64 KiB.
    public var json: JSONValue
    /// The number of bytes in the body.
    public var bodyLength: Int

    /// What there is to say about `request`. A body of more than 64 KiB is not shown.
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
