import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import MoyaTransportCurl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Oracle: RFC 6265, sections 5.1.1, 5.2.1 and 5.3.
@Suite struct CookieExpiryTests {
    private func transport() throws -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.cookies = .memory
        return try CurlTransport(configuration: configuration)
    }

    /// Returns the stored cookies after the session cookie `a=old` and a response that sets `a=new`
    /// with `attributes`.
    private func stored(after attributes: String) async throws -> [HTTPCookie] {
        let server = try MockServer { request in
            .text("").adding(
                "Set-Cookie",
                request.path == "/old" ? "a=old; Path=/" : "a=new; Path=/; \(attributes)")
        }
        defer { server.stop() }
        let transport = try transport()
        for path in ["/old", "/new"] {
            let url = try #require(URL(string: server.url.absoluteString + path))
            _ = try await transport.send(TransportRequest(URLRequest(url: url)))
        }
        return try await transport.cookies()
    }

    // libcurl 8.16 and later cut expiry dates to 400 days, as RFC 6265bis allows.
    @Test(arguments: CookieDates.future)
    func `A cookie expires at the date of its Expires attribute, or after 400 days`(
        text: String, date: String?
    ) async throws {
        let cookies = try await stored(after: "Expires=\(text)")
        #expect(cookies.map(\.value) == ["new"])
        let expiry = try #require(cookies.first?.expiresDate)
        let days = expiry.timeIntervalSinceNow / 86_400
        #expect(try expiry == CookieDates.date(date) || (399...401).contains(days))
    }

    @Test(
        arguments: CookieDates.past.map { "Expires=\($0.text)" } + [
            "Max-Age=0", "Max-Age=-1", "Max-Age=-99999999999999999999",
        ])
    func `An Expires attribute in the past or a Max-Age below 1 deletes a cookie`(
        attribute: String
    ) async throws {
        #expect(try await stored(after: attribute).isEmpty)
    }

    @Test func `Max-Age takes precedence over an Expires date that libcurl misreads`() async throws
    {
        for attributes in [
            "Expires=Thu, 01-Jan-70 00:00:01 GMT; Max-Age=60",
            "Max-Age=60; Expires=Mon, 01-Jan-1601 00:00:00 GMT",
        ] {
            let before = Date()
            let cookies = try await stored(after: attributes)
            let expiry = try #require(cookies.first?.expiresDate)
            #expect((before + 58...Date() + 62).contains(expiry))
        }
    }

    @Test func `An Expires date that libcurl misreads changes no other cookie of the same name`()
        async throws
    {
        let server = try MockServer { _ in
            .text("").adding("Set-Cookie", "a=1; Path=/; Expires=Thu, 01-Jan-70 00:00:01 GMT")
        }
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.cookies = .memory
        // libcurl counts a connection to 127.0.0.1 as secure.
        configuration.network.hostOverrides = [
            .init(host: "shop.test", port: server.port, addresses: ["127.0.0.1"])
        ]
        let transport = try CurlTransport(configuration: configuration)
        // Another host, a secure cookie of the host, and another value.
        for properties: [HTTPCookiePropertyKey: Any] in [
            [.domain: "other.test"], [.domain: "shop.test", .secure: "TRUE"],
            [.domain: "shop.test", .path: "/b", .value: "2"],
        ] {
            let usual: [HTTPCookiePropertyKey: Any] = [.name: "a", .value: "1", .path: "/"]
            let cookie = try #require(HTTPCookie(properties: usual.merging(properties) { $1 }))
            try await transport.setCookie(cookie)
        }
        let url = try #require(URL(string: "http://shop.test:\(server.port)/"))
        _ = try await transport.send(TransportRequest(URLRequest(url: url)))
        let kept = try await transport.cookies().map { "\($0.domain)\($0.path) \($0.value)" }
        #expect(kept.sorted() == ["other.test/ 1", "shop.test/ 1", "shop.test/b 2"])
    }
}
