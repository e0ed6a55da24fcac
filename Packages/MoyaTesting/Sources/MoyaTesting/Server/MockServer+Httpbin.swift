import Foundation
import MoyaCore

extension MockServer {
    /// Answers like httpbin.org.
    ///
    /// `/get`, `/post`, `/put`, `/patch`, `/delete`, `/anything…` echo the request as JSON (``Echo``).
    /// `/status/{code}`, `/bytes/{count}`, `/delay/{milliseconds}`, `/redirect/{count}`,
    /// `/redirect-to?url=…&status=…`, `/gzip`, `/deflate`, `/basic-auth/{user}/{password}`,
    /// `/stream/{count}`, `/stall` do what they say.
    public static let httpbin: Handler = { request in
        let parts = request.path.split(separator: "/").map(String.init)
        let number = parts.dropFirst().first.flatMap(Int.init) ?? 0
        switch parts.first {
        case "get", "post", "put", "patch", "delete", "anything", "headers":
            return .json(Echo(request))
        case "status": return MockResponse(status: number)
        case "bytes": return MockResponse(body: .pattern(byteCount: max(0, number)))
        case "delay": return .json(Echo(request)).delayed(by: Double(number) / 1000)
        case "redirect": return .redirect(to: number > 1 ? "/redirect/\(number - 1)" : "/get")
        case "redirect-to": return redirect(request)
        case "gzip", "deflate": return compressed(request, as: parts[0])
        case "basic-auth" where parts.count == 3:
            return basicAuthentication(request, user: parts[1], password: parts[2])
        case "stream":
            let lines = (0..<max(0, number)).map { Data("{\"line\":\($0)}\n".utf8) }
            return MockResponse(body: .chunked(lines))
        case "stall": return .silence(then: .stall)
        default: return .json(["error": "No such route: \(request.path)"], status: 404)
        }
    }

    private static func redirect(_ request: MockRequest) -> MockResponse {
        let items = request.queryItems
        let location = items.first { $0.name == "url" }?.value ?? "/get"
        let status = items.first { $0.name == "status" }?.value.flatMap(Int.init) ?? 302
        return .redirect(to: location, status: status)
    }

    private static func compressed(_ request: MockRequest, as coding: String) -> MockResponse {
        let plain = MockResponse.json(Echo(request))
        guard case .data(let data) = plain.body else { return plain }
        var response = plain.adding("Content-Encoding", coding)
        response.body = .data(
            coding == "gzip" ? StoredDeflate.gzip(data) : StoredDeflate.zlib(data))
        return response
    }

    private static func basicAuthentication(
        _ request: MockRequest, user: String, password: String
    ) -> MockResponse {
        let expected = "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
        guard request.value(for: "Authorization") == expected else {
            return .text("Who are you?", status: 401)
                .adding("WWW-Authenticate", "Basic realm=\"mock\", charset=\"UTF-8\"")
        }
        return .json(["authenticated": "true", "user": user])
    }
}

/// What the echoing routes of ``MockServer/httpbin`` say about a request.
public struct Echo: Codable, Sendable, Equatable {
    /// The method.
    public var method: String
    /// Path and query, as they were sent.
    public var target: String
    /// The query's pairs. The last of several with one name.
    public var args: [String: String]
    /// The header fields, names in lower case, several of one name joined with a comma.
    public var headers: [String: String]
    /// The body, as text. Empty for a body of more than 64 KiB.
    public var data: String
    /// The number of bytes in the body.
    public var bodyLength: Int

    /// What there is to say about `request`. A body of more than 64 KiB is not shown.
    public init(_ request: MockRequest) {
        method = request.method
        target = request.target
        args = Dictionary(
            request.queryItems.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { $1 })
        headers = Dictionary(
            request.headers.map { ($0.name.lowercased(), $0.value) },
            uniquingKeysWith: { "\($0), \($1)" })
        data = request.bodyLength <= 64 << 10 ? String(decoding: request.body, as: UTF8.self) : ""
        bodyLength = request.bodyLength
    }
}
