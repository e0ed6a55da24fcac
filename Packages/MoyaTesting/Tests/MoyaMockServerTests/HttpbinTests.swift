import Foundation
import MoyaMockServer
import MoyaTestSupport
import MoyaTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct HttpbinTests {
    private struct Answer {
        var status = 0
        var head = ""
        var data = Data()

        init(_ bytes: Data) throws {
            let end = try #require(bytes.range(of: Data("\r\n\r\n".utf8)))
            head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
            status = try #require(Int(head.split(separator: " ")[1]))
            data = Data(bytes[end.upperBound...])
        }

        func value(for name: String) -> String? {
            head.components(separatedBy: "\r\n").first { $0.hasPrefix("\(name): ") }.map {
                String($0.dropFirst(name.count + 2))
            }
        }
    }

    private func fetch(
        _ method: String = "GET", _ path: String, headers: [String: String] = [:], body: String = ""
    ) async throws -> Answer {
        let server = try MockServer()
        defer { server.stop() }
        let fields = headers.map { "\($0): \($1)\r\n" }.joined()
        let bytes = try await RawClient.connected(to: server.port) { client in
            client.send(
                "\(method) \(path) HTTP/1.0\r\nHost: 127.0.0.1:\(server.port)\r\n\(fields)"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
            return try client.receiveAll()
        }
        return try Answer(bytes)
    }

    private func fetch(_ path: String) async throws -> Answer { try await fetch("GET", path) }

    private func decode<Value: Decodable>(_ type: Value.Type, _ path: String) async throws -> Value
    {
        try JSONDecoder().decode(type, from: try await fetch(path).data)
    }

    @Test(arguments: [
        ("/status/418", 418), ("/status/abc", 400), ("/nothing", 404), ("/", 404), ("/get", 200),
        ("/basic-auth/a/b", 401), ("/bearer", 401), ("/redirect-to?url=/x&status=308", 308),
    ])
    func `a status route responds with its status`(path: String, status: Int) async throws {
        #expect(try await fetch(path).status == status)
    }

    @Test(arguments: ["GET", "POST", "PUT", "PATCH", "DELETE", "PURGE"])
    func `an echo route accepts any method`(method: String) async throws {
        let data = try await fetch(method, "/anything/a%20b/c?x=1&y=%26&x=2").data
        let echo = try JSONDecoder().decode(Echo.self, from: data)
        #expect(echo.method == method)
        #expect(echo.path == "/anything/a b/c")
        #expect(echo.target == "/anything/a%20b/c?x=1&y=%26&x=2")
        #expect(echo.url.hasPrefix("http://127.0.0.1:") && echo.url.hasSuffix(echo.target))
        #expect(echo.args == ["x": "2", "y": "&"])
        #expect(echo.json == .null)
    }

    @Test func `an echo contains the body as text and as JSON`() async throws {
        let body = #"{"name":"ä","list":[1,true,null,{"a":2.5}]}"#
        let data = try await fetch("POST", "/post", headers: ["X-A": "b"], body: body).data
        let echo = try JSONDecoder().decode(Echo.self, from: data)
        #expect(echo.data == body)
        #expect(echo.bodyLength == body.utf8.count)
        #expect(echo.headers["x-a"] == "b")
        #expect(echo.json == ["name": "ä", "list": [1, true, .null, ["a": 2.5]]])
    }

    @Test func `an echo of a body that is not JSON has no JSON value`() async throws {
        let data = try await fetch("POST", "/post", body: "{broken").data
        let echo = try JSONDecoder().decode(Echo.self, from: data)
        #expect(echo.data == "{broken")
        #expect(echo.json == .null)
    }

    @Test(arguments: [0, 1, 255, 100_000])
    func `a bytes route sends counting bytes`(count: Int) async throws {
        let data = try await fetch("/bytes/\(count)").data
        #expect(data == Data((0..<count).map { UInt8($0 & 0xFF) }))
    }

    /// Fetches with URLSession, whose decoder is independent of this library.
    private func decoded(_ path: String) async throws -> (data: Data, length: Int?) {
        let server = try MockServer()
        defer { server.stop() }
        let url = try #require(URL(string: server.url.absoluteString + path))
        let session = URLSession(configuration: .ephemeral)
        defer { session.invalidateAndCancel() }
        let (data, response) = try await session.data(
            for: URLRequest(url: url, timeoutInterval: 120))
        let length = (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Content-Length")
        return (data, length.flatMap { Int($0) })
    }

    @Test(arguments: [0, 1, 2, 258, 259, 517, 1_000_000])
    func `a zeros route sends compressed zeros`(count: Int) async throws {
        let (data, length) = try await decoded("/zeros/\(count)")
        #expect(data == Data(count: count))
        #expect(try #require(length) < 300 + count / 100)
    }

    @Test(arguments: ["/gzip?a=b", "/deflate?a=b"])
    func `a gzip or deflate route sends a compressed echo`(path: String) async throws {
        let data = try await decoded(path).data
        #expect(try JSONDecoder().decode(Echo.self, from: data).args == ["a": "b"])
    }

    @Test func `an upload route responds with the body's length and checksum`() async throws {
        let data = try await fetch("PUT", "/upload", body: "123456789").data
        let receipt = try JSONDecoder().decode(UploadReceipt.self, from: data)
        #expect(receipt.bodyLength == 9)
        // The check value in the definition of CRC-32.
        #expect(receipt.crc32 == 0xCBF4_3926)
    }

    @Test func `a stream route sends lines, and a drip route single bytes`() async throws {
        let lines = try await fetch("/stream/2")
        #expect(lines.value(for: "Transfer-Encoding") == "chunked")
        #expect(
            lines.data == Data("b\r\n{\"line\":0}\n\r\nb\r\n{\"line\":1}\n\r\n0\r\n\r\n".utf8))
        let drops = try await fetch("/drip?bytes=2&delay=1").data
        #expect(drops == Data("1\r\n\0\r\n1\r\n\u{1}\r\n0\r\n\r\n".utf8))
    }

    @Test(arguments: [
        ("/redirect/3", "/redirect/2"), ("/redirect/1", "/get"),
        ("/redirect-to?url=http://a.test/%3Fx", "http://a.test/?x"),
    ])
    func `a redirect route responds with its Location`(path: String, location: String) async throws
    {
        let answer = try await fetch(path)
        #expect(answer.status == 302)
        #expect(answer.value(for: "Location") == location)
    }

    @Test
    func
        `an authentication route accepts valid credentials and challenges a request without them`()
        async throws
    {
        struct Identity: Decodable {
            let authenticated: Bool
            let user: String?
            let token: String?
        }
        let credentials = Data("a:b".utf8).base64EncodedString()
        let basic = try await fetch(
            "GET", "/basic-auth/a/b", headers: ["Authorization": "Basic \(credentials)"]
        ).data
        #expect(try JSONDecoder().decode(Identity.self, from: basic).user == "a")
        let bearer = try await fetch("GET", "/bearer", headers: ["Authorization": "Bearer t"]).data
        #expect(try JSONDecoder().decode(Identity.self, from: bearer).token == "t")
        #expect(try await fetch("/bearer").value(for: "WWW-Authenticate") == "Bearer")
        #expect(
            try await fetch("/basic-auth/a/b").value(for: "WWW-Authenticate")
                == "Basic realm=\"mock\", charset=\"UTF-8\"")
    }

    @Test func `the cookie routes set cookies and echo received cookies`() async throws {
        let answer = try await fetch("/cookies/set?a=1")
        #expect(answer.value(for: "Set-Cookie") == "a=1; Path=/")
        #expect(answer.value(for: "Location") == "/cookies")
        let data = try await fetch("GET", "/cookies", headers: ["Cookie": "a=1; b=x=y"]).data
        #expect(
            try JSONDecoder().decode(JSONValue.self, from: data)
                == ["cookies": ["a": "1", "b": "x=y"]])
    }

    @Test func `the document routes send fixed documents`() async throws {
        #expect(
            try await decode(JSONValue.self, "/json") == [
                "title": "Sample", "numbers": [1, 2.5, -3],
                "nested": ["yes": true, "nothing": .null], "text": "a \"quoted\" line\n",
            ])
        let text = String(decoding: try await fetch("/encoding/utf8").data, as: UTF8.self)
        #expect(text.contains("Привет, 世界 🌍"))
        #expect(try await decode([String: String].self, "/ip") == ["origin": "127.0.0.1"])
    }
}
