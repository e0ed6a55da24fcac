import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import MoyaTransportCurl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct CookieTests {
    private func transport(
        _ cookies: CurlTransport.Configuration.Cookies
    ) throws -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.cookies = cookies
        return try CurlTransport(configuration: configuration)
    }

    private func get(_ server: MockServer, _ path: String) throws -> TransportRequest {
        let url = try #require(URL(string: server.url.absoluteString + path))
        return TransportRequest(URLRequest(url: url))
    }

    private func sentCookies(_ server: MockServer) -> String? {
        server.requests.last?.value(for: "Cookie")
    }

    @Test func `cookies kept in memory are sent with later requests`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let transport = try transport(.memory)
        _ = try await transport.send(get(server, "/cookies/set?flavour=mint"))
        _ = try await transport.send(get(server, "/get"))
        #expect(sentCookies(server) == "flavour=mint")
        let cookies = try await transport.cookies()
        #expect(cookies.map(\.name) == ["flavour"])
        #expect(cookies.first?.value == "mint")
        #expect(cookies.first?.domain == "127.0.0.1")
    }

    @Test func `cookies can be set and removed`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let transport = try transport(.memory)
        let cookie = try #require(
            HTTPCookie(properties: [
                .domain: "127.0.0.1", .path: "/", .name: "session", .value: "42",
                .expires: Date(timeIntervalSinceNow: 3600),
            ]))
        try await transport.setCookie(cookie)
        _ = try await transport.send(get(server, "/get"))
        #expect(sentCookies(server) == "session=42")
        try await transport.removeCookies()
        _ = try await transport.send(get(server, "/get"))
        #expect(sentCookies(server) == nil)
        #expect(try await transport.cookies().isEmpty)
    }

    private func cookie(
        _ name: String = "a", _ value: String = "1", path: String = "/", expires: Date? = nil
    ) throws -> HTTPCookie {
        var properties: [HTTPCookiePropertyKey: Any] = [
            .domain: "127.0.0.1", .path: path, .name: name, .value: value,
        ]
        if let expires { properties[.expires] = expires }
        return try #require(HTTPCookie(properties: properties))
    }

    @Test(arguments: [Double.infinity, 1e300, 0x1p63, 1e12])
    func `a cookie may expire arbitrarily far in the future`(seconds: TimeInterval) async throws {
        let transport = try transport(.memory)
        let date = Date(timeIntervalSince1970: seconds)
        try await transport.setCookie(cookie(expires: date))
        let kept = try await transport.cookies()
        #expect(kept.map(\.name) == ["a"])
        #expect(try #require(kept.first?.expiresDate) > Date(timeIntervalSinceNow: 86_400))
    }

    @Test(arguments: [TimeInterval.nan, -Double.infinity, -1e300, -1, 0, 0.5])
    func `a cookie with a past or invalid expiry date is not stored`(seconds: TimeInterval)
        async throws
    {
        let transport = try transport(.memory)
        let date = Date(timeIntervalSince1970: seconds)
        try await transport.setCookie(cookie(expires: date))
        #expect(try await transport.cookies().isEmpty)
    }

    @Test(arguments: ["a\tb", "a\nb", "a\r\nb", "a\u{0}b", "a\u{7F}"])
    func `a cookie with control characters is refused`(text: String) async throws {
        let transport = try transport(.memory)
        for cookie in [try cookie("a", text), try cookie(text), try cookie(path: "/" + text)] {
            let error = await #expect(throws: URLError.self) {
                try await transport.setCookie(cookie)
            }
            #expect(error?.localizedDescription.contains("control character") == true)
        }
        #expect(try await transport.cookies().isEmpty)
    }

    @Test func `cookies kept in a file outlive the transport`() async throws {
        let server = try MockServer { request in
            request.path == "/set"
                ? MockResponse().adding("Set-Cookie", "kept=yes; Path=/; Max-Age=3600; HttpOnly")
                : .text("x")
        }
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let file = folder.file()
        let first = try transport(.file(file))
        _ = try await first.send(get(server, "/set"))
        try await first.saveCookies()
        let second = try transport(.file(file))
        _ = try await second.send(get(server, "/get"))
        #expect(sentCookies(server) == "kept=yes")
        #expect(try await second.cookies().first?.isHTTPOnly == true)
    }

    @Test func `a cookie of one host is not sent to another`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let transport = try transport(.memory)
        _ = try await transport.send(get(server, "/cookies/set?flavour=mint"))
        let other = try #require(URL(string: "http://localhost:\(server.port)/get"))
        _ = try await transport.send(TransportRequest(URLRequest(url: other)))
        #expect(sentCookies(server) == nil)
    }

    @Test func `reading cookies after shutdown is an error`() async throws {
        let transport = try transport(.memory)
        transport.shutdown()
        let error = await #expect(throws: URLError.self) { try await transport.cookies() }
        #expect(error?.code == .cancelled)
    }
}
