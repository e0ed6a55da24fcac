import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTransportCurl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Hosts that cookies are sent to and stored for, independent of earlier requests' header fields.
@Suite struct CookieOriginTests {
    private func transport() throws -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.cookies = .memory
        configuration.threads = 1
        return try CurlTransport(configuration: configuration)
    }

    private func get(
        _ server: MockServer, _ path: String, _ fields: [String: String] = [:]
    ) throws -> TransportRequest {
        let url = try #require(URL(string: server.url.absoluteString + path))
        var request = URLRequest(url: url)
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        return TransportRequest(request)
    }

    private func cookie(_ name: String, _ value: String, for domain: String) throws -> HTTPCookie {
        try #require(
            HTTPCookie(properties: [
                .domain: domain, .path: "/", .name: name, .value: value,
                .expires: Date(timeIntervalSinceNow: 3600),
            ]))
    }

    @Test func `A custom Host field sends and stores no cookies of that host`() async throws {
        let server = try MockServer { _ in
            MockResponse().adding("Set-Cookie", "planted=yes; Path=/; Max-Age=86400")
        }
        defer { server.stop() }
        let transport = try transport()
        try await transport.setCookie(cookie("session", "42", for: "bank.test"))
        _ = try await transport.send(get(server, "/a", ["Host": "bank.test"]))
        _ = try await transport.send(get(server, "/b"))
        _ = try await transport.send(get(server, "/c"))
        let sent = server.requests.map { $0.value(for: "Cookie") }
        #expect(sent == [nil, nil, "planted=yes"])
        let domains = try await transport.cookies().map(\.domain).sorted()
        #expect(domains == ["127.0.0.1", "bank.test"])
    }

    @Test func `A request's own Cookie field is sent in one line with the stored cookies`()
        async throws
    {
        let server = try MockServer { .text($0.path) }
        defer { server.stop() }
        let transport = try transport()
        try await transport.setCookie(cookie("kept", "1", for: "127.0.0.1"))
        _ = try await transport.send(get(server, "/a", ["Cookie": "own=2"]))
        _ = try await transport.send(get(server, "/b", ["Cookie": "own=3"]))
        _ = try await transport.send(get(server, "/c"))
        let sent = server.requests.map { request in
            request.headers.filter { $0.name.lowercased() == "cookie" }.map(\.value)
        }
        #expect(sent == [["kept=1; own=2"], ["kept=1; own=3"], ["kept=1"]])
    }

    @Test func `A request without cookie handling sends and stores no cookies across redirects`()
        async throws
    {
        let server = try MockServer { request in
            let response = request.path == "/away" ? .redirect(to: "/b") : MockResponse()
            return response.adding("Set-Cookie", "from\(request.path.dropFirst())=1; Path=/")
        }
        defer { server.stop() }
        let transport = try transport()
        try await transport.setCookie(cookie("kept", "1", for: "127.0.0.1"))
        // Sequential requests, so that each may reuse the handle of the one before.
        for (path, fields, handlesCookies) in [
            ("/away", [:], false), ("/c", [:], true), ("/d", ["Cookie": "own=2"], false),
            ("/away", [:], false), ("/e", [:], true),
        ] {
            var request = try get(server, path, fields)
            request.urlRequest.httpShouldHandleCookies = handlesCookies
            #expect(try await transport.send(request).head.statusCode == 200)
        }
        let sent = server.requests.map { $0.value(for: "Cookie") }
        #expect(Array(sent.prefix(2)) == [nil, nil])
        #expect(Array(sent.dropFirst(2).prefix(4)) == ["kept=1", "own=2", nil, nil])
        let names = try await transport.cookies().map(\.name).sorted()
        #expect(names == ["fromc", "frome", "kept"])
        #expect(sent.last??.contains("fromc=1") == true)
    }

    @Test func `A cookie for a public suffix is refused`() async throws {
        let server = try MockServer { _ in
            MockResponse()
                .adding("Set-Cookie", "wide=1; Domain=co.uk")
                .adding("Set-Cookie", "own=1; Domain=shop.co.uk")
        }
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.cookies = .memory
        configuration.network.hostOverrides = [
            .init(host: "shop.co.uk", port: server.port, addresses: ["127.0.0.1"])
        ]
        let transport = try CurlTransport(configuration: configuration)
        let url = try #require(URL(string: "http://shop.co.uk:\(server.port)/"))
        _ = try await transport.send(TransportRequest(URLRequest(url: url)))
        #expect(try await transport.cookies().map(\.name) == ["own"])
    }
}
