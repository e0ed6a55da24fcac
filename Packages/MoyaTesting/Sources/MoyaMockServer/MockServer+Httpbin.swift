import Foundation
import MoyaCore
import MoyaStubs

extension MockServer {
    /// Handler with the routes of httpbin.org.
    ///
    /// - `/get`, `/post`, `/put`, `/patch`, `/delete`, `/headers`, `/anything…`: the request as
    ///   JSON (``Echo``), with any method.
    /// - `/status/{code}`: that status, from 200 to 999. `/delay/{milliseconds}`: a delayed echo.
    /// - `/bytes/{count}`: that number of bytes, each the low byte of its index. `/upload`: length
    ///   and CRC-32 of the request body. `/zeros/{count}`: zero bytes, compressed.
    /// - `/stream/{count}`: lines of JSON, chunked. `/drip?bytes=…&delay=…`: single bytes, chunked,
    ///   `delay` milliseconds apart. `/stall`: no response.
    /// - `/redirect/{count}`: that number of redirects, the last to `/get`.
    ///   `/redirect-to?url=…&status=…`: one redirect.
    /// - `/gzip`, `/deflate`: a compressed echo. `/json`, `/encoding/utf8`: fixed documents.
    /// - `/basic-auth/{user}/{password}`: 401 without these credentials. `/bearer`: 401 without a
    ///   bearer token.
    /// - `/cookies`: the received cookies. `/cookies/set?name=value…`: sets cookies. `/ip`: the
    ///   client's address.
    public static let httpbin: Handler = { request in
        let parts = request.path.split(separator: "/").map(String.init)
        let number = max(0, parts.dropFirst().first.flatMap(Int.init) ?? 0)
        switch parts.first {
        case "get", "post", "put", "patch", "delete", "anything", "headers":
            return .json(Echo(request))
        case "delay": return .json(Echo(request)).delayed(by: Double(number) / 1000)
        case "status":
            return (200...999).contains(number)
                ? MockResponse(status: number) : .text("No such status.", status: 400)
        case "redirect": return .redirect(to: number > 1 ? "/redirect/\(number - 1)" : "/get")
        case "redirect-to": return redirect(request)
        case "basic-auth" where parts.count == 3:
            return basicAuthentication(request, user: parts[1], password: parts[2])
        case "bearer": return bearerAuthentication(request)
        case "cookies" where parts.dropFirst().first == "set": return setCookies(request)
        case "cookies": return .json(["cookies": cookies(of: request)])
        case "ip": return .json(["origin": "127.0.0.1"])
        default:
            return body(parts.first ?? "", number, request)
                ?? .json(["error": "No such route: \(request.path)"], status: 404)
        }
    }

    /// Returns the response of a route that tests bodies, or `nil`.
    private static func body(
        _ route: String, _ number: Int, _ request: MockRequest
    ) -> MockResponse? {
        switch route {
        case "bytes": return MockResponse(body: .pattern(byteCount: number))
        case "zeros": return .compressedZeros(number)
        case "upload":
            return .json(
                UploadReceipt(bodyLength: request.bodyLength, crc32: Zlib.crc32(request.body)))
        case "gzip": return .json(Echo(request)).compressed(.gzip)
        case "deflate": return .json(Echo(request)).compressed(.deflate)
        case "stream":
            let lines = (0..<min(number, 100_000)).map { Data("{\"line\":\($0)}\n".utf8) }
            return MockResponse(body: .chunked(lines))
        case "drip":
            let count = min(max(0, request.number(of: "bytes") ?? 10), 100_000)
            let pieces = (0..<count).map { Data([UInt8(truncatingIfNeeded: $0)]) }
            let interval = Double(request.number(of: "delay") ?? 0) / 1000
            return MockResponse(body: .chunked(pieces, interval: interval))
        case "stall": return .silence(then: .stall)
        case "json": return .json(sampleDocument)
        case "encoding": return .text("∮ E⋅da = Q, n → ∞, ∑ f(i) = ∏ g(i); Привет, 世界 🌍\n")
        default: return nil
        }
    }

    private static func redirect(_ request: MockRequest) -> MockResponse {
        let location = request.queryItems.first { $0.name == "url" }?.value ?? "/get"
        return .redirect(to: location, status: request.number(of: "status") ?? 302)
    }

    private static let sampleDocument: JSONValue = [
        "title": "Sample", "numbers": [1, 2.5, -3], "nested": ["yes": true, "nothing": .null],
        "text": "a \"quoted\" line\n",
    ]
}

/// Response of the route `/upload` of ``MockServer/httpbin``.
public struct UploadReceipt: Codable, Sendable, Equatable {
    /// Size of the request body in bytes.
    public var bodyLength: Int
    /// CRC-32 of the request body, as in gzip.
    public var crc32: UInt32
}

extension MockRequest {
    fileprivate func number(of name: String) -> Int? {
        queryItems.first { $0.name == name }?.value.flatMap(Int.init)
    }
}
