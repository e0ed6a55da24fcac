import Foundation
import MoyaCore
import MoyaInternals
import MoyaMockServer
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Credentials for servers.
@Suite struct AuthenticationTests {
    private typealias Authentication = CurlTransport.Configuration.Authentication

    private func send(
        to server: MockServer, _ kinds: CurlTransport.Configuration.Authentication,
        password: String = "secret", body: String? = nil
    ) async throws -> TransportResponse {
        var configuration = CurlTransport.Configuration()
        configuration.authentication = kinds
        var urlRequest = URLRequest(url: server.url.appendingPathComponent("private"))
        if let body {
            urlRequest.httpMethod = "POST"
            urlRequest.httpBody = Data(body.utf8)
        }
        var request = TransportRequest(urlRequest)
        request.credential = URLCredential(user: "ash", password: password, persistence: .none)
        return try await CurlTransport(configuration: configuration).send(request)
    }

    private func challenge(_ schemes: String...) -> MockResponse {
        schemes.reduce(.text("Who?", status: 401)) { $0.adding("WWW-Authenticate", $1) }
    }

    @Test(arguments: ["keep-alive", "close"])
    func `A nonce that the server reports as stale is renewed once`(
        connection: String
    ) async throws {
        let count = Counter()
        let server = try MockServer { [self] _ in
            challenge("Digest realm=\"r\", nonce=\"n\(count.next())\", qop=\"auth\", stale=true")
                .adding("Connection", connection)
        }
        defer { server.stop() }
        #expect(try await send(to: server, .digest).head.statusCode == 401)
        // The first request carries no credential.
        #expect(server.requests.count == 3)
    }

    @Test(
        arguments: [.basic, .digest, [.basic, .digest]]
            as [CurlTransport.Configuration.Authentication])
    func `No credential is sent before the server's challenge`(
        kinds: CurlTransport.Configuration.Authentication
    ) async throws {
        let server = try MockServer { _ in .text("open to all") }
        defer { server.stop() }
        #expect(try await send(to: server, kinds).head.statusCode == 200)
        #expect(server.requests.map { $0.value(for: "Authorization") } == [nil])
    }

    @Test(
        arguments: [
            (.basic, "Basic "), (.digest, "Digest "), ([.basic, .digest], "Digest "),
        ] as [(CurlTransport.Configuration.Authentication, String)])
    func `The strongest allowed authentication scheme answers a challenge`(
        kinds: CurlTransport.Configuration.Authentication, start: String
    ) async throws {
        let server = try MockServer { [self] request in
            guard request.value(for: "Authorization") == nil else { return .text("in") }
            return challenge("Basic realm=\"r\"", "Digest realm=\"r\", nonce=\"n\", qop=\"auth\"")
        }
        defer { server.stop() }
        #expect(try await send(to: server, kinds).head.statusCode == 200)
        #expect(server.requests.first?.value(for: "Authorization") == nil)
        #expect(server.requests.last?.value(for: "Authorization")?.hasPrefix(start) == true)
        #expect(server.requests.count == 2)
    }

    @Test(arguments: ["keep-alive", "close"])
    func `Trailer fields of a challenge are not among the response's trailers`(
        connection field: String
    ) async throws {
        let server = try RawServer { connection in
            while true {
                let head = String(decoding: connection.read(until: "\r\n\r\n"), as: UTF8.self)
                if head.isEmpty { break }
                let isKnown = head.contains("Authorization: Basic")
                connection.write(isKnown ? "HTTP/1.1 200 OK\r\n" : "HTTP/1.1 401 Who\r\n")
                connection.write("WWW-Authenticate: Basic realm=\"r\"\r\nConnection: \(field)\r\n")
                connection.write("Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n")
                connection.write("X-Sum: \(isKnown ? "in" : "out")\r\n\r\n")
                if field == "close" { break }
            }
        }
        defer { server.stop() }
        var request = TransportRequest(URLRequest(url: server.url))
        request.credential = URLCredential(user: "ash", password: "secret", persistence: .none)
        let response = try await CurlTransport().send(request)
        #expect(response.head.statusCode == 200)
        #expect(response.trailers == [HeaderField(name: "X-Sum", value: "in")])
    }

    @Test func `A challenge with only disallowed schemes is not answered`() async throws {
        let server = try MockServer { [self] _ in challenge("Basic realm=\"r\"") }
        defer { server.stop() }
        #expect(try await send(to: server, .digest).head.statusCode == 401)
        #expect(server.requests.map { $0.value(for: "Authorization") } == [nil])
    }

    @Test(.requires(.gssapi))
    func `A connection that Negotiate may have authenticated is not reused without the credential`()
        async throws
    {
        let server = try MockServer { [self] request in
            request.value(for: "Authorization") == nil
                ? challenge("Basic realm=\"r\"") : .text("in")
        }
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.authentication = [.basic, .negotiate]
        configuration.threads = 1
        let transport = try CurlTransport(configuration: configuration)
        var request = TransportRequest(URLRequest(url: server.url))
        request.credential = URLCredential(user: "ash", password: "secret", persistence: .none)
        #expect(try await transport.send(request).head.statusCode == 200)
        request.credential = nil
        #expect(try await transport.send(request).head.statusCode == 401)
        let connections = server.requests.map(\.connectionID)
        // The first request may have led to Negotiate, and the second carried Basic.
        try #require(connections.count == 3)
        #expect(connections[1] > connections[0] && connections[2] > connections[0])
    }

    @Test func `Control characters in user names, passwords and the user agent are refused`()
        async throws
    {
        let server = try MockServer { [self] _ in challenge("Digest realm=\"r\", nonce=\"n\"") }
        defer { server.stop() }
        let text = "http://ash%0d%0aX-Injected%3A%201:p@127.0.0.1:\(server.port)/"
        let url = try #require(URL(string: text))
        await #expect(throws: RequestError.self) {
            try await CurlTransport().send(TransportRequest(URLRequest(url: url)))
        }
        #expect(server.requests.isEmpty)
        for change in [
            { $0.userAgent = "a\r\nb" }, { $0.proxy.user = "a\nb" }, { $0.proxy.password = "\0" },
        ] as [(inout CurlTransport.Configuration) -> Void] {
            var configuration = CurlTransport.Configuration()
            change(&configuration)
            #expect(throws: CurlTransport.ConfigurationError.self) {
                try CurlTransport(configuration: configuration)
            }
        }
    }

    @Test func `Digest credentials match the server's, with and without a request body`()
        async throws
    {
        let server = try digestServer()
        defer { server.stop() }
        let get = try await send(to: server, .digest)
        #expect(try get.head.statusCode == 200 && get.text == "GET ")
        let post = try await send(to: server, .digest, body: "a body")
        #expect(try post.head.statusCode == 200 && post.text == "POST a body")
        let wrong = try await send(to: server, .digest, password: "guess")
        #expect(wrong.head.statusCode == 401)
    }

    /// Checks credentials by RFC 7616, section 3.4, with SHA-256.
    private func digestServer() throws -> MockServer {
        try MockServer { [self] request in
            let answer = Self.fields(request.value(for: "Authorization") ?? "")
            let first = Self.hash("ash:realm:secret")
            let second = Self.hash("\(request.method):\(request.target)")
            let parts = [
                first, "abc", answer["nc"] ?? "", answer["cnonce"] ?? "", "auth", second,
            ]
            let isRight =
                answer["response"] == Self.hash(parts.joined(separator: ":"))
                && answer["nc"] == "00000001" && answer["cnonce"]?.isEmpty == false
                && answer["username"] == "ash" && answer["uri"] == request.target
            guard isRight else {
                return challenge(
                    "Digest realm=\"realm\", qop=\"auth\", algorithm=SHA-256, nonce=\"abc\"")
            }
            return .text("\(request.method) \(String(decoding: request.body, as: UTF8.self))")
        }
    }

    private static func hash(_ text: String) -> String {
        Hexadecimal.encode(Digester.digest(.sha256, of: Data(text.utf8)))
    }

    private static func fields(_ answer: String) -> [String: String] {
        let pairs = answer.dropFirst("Digest ".count).split(separator: ",").compactMap { part in
            let sides = part.split(separator: "=", maxSplits: 1)
            return sides.count == 2
                ? (
                    sides[0].trimmingCharacters(in: .whitespaces),
                    sides[1].trimmingCharacters(in: .init(charactersIn: "\" "))
                ) : nil
        }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }
}
