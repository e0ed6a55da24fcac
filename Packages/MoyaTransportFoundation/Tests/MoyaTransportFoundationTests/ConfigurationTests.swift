import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTransportFoundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct ConfigurationTests {
    private func transport(
        _ change: (inout FoundationTransport.Configuration) -> Void
    ) throws -> FoundationTransport {
        var configuration = FoundationTransport.Configuration()
        change(&configuration)
        return try FoundationTransport(configuration: configuration)
    }

    private func echo(
        of request: URLRequest, over transport: FoundationTransport
    ) async throws -> Echo {
        guard case .data(let data) = try await transport.send(TransportRequest(request)).body else {
            throw URLError(.unknown)
        }
        return try JSONDecoder().decode(Echo.self, from: data)
    }

    @Test func `at most 1 GiB of a streamed response waits for a slow reader by default`() {
        #expect(FoundationTransport.Configuration().streamBacklogLimit == 1 << 30)
    }

    // MARK: Header fields

    @Test func `requests send the default header fields unless they set their own`()
        async throws
    {
        let server = try MockServer()
        defer { server.stop() }
        let transport = FoundationTransport()
        var request = URLRequest(url: server.url.appendingPathComponent("get"))
        let usual = try await echo(of: request, over: transport).headers
        #expect(usual["user-agent"] == FoundationTransport.defaultHeaders["User-Agent"])
        #expect(usual["user-agent"]?.hasSuffix(") Moya") == true)
        #expect(usual["accept-language"]?.contains(";q=1.0") == true)
        #expect(usual["accept-encoding"]?.contains("gzip") == true)
        request.setValue("me/1", forHTTPHeaderField: "user-agent")
        #expect(try await echo(of: request, over: transport).headers["user-agent"] == "me/1")
    }

    @Test func `additional header fields are not sent to another origin`() async throws {
        let other = try MockServer()
        defer { other.stop() }
        let elsewhere = other.url.appendingPathComponent("get").absoluteString
        let server = try MockServer { _ in .redirect(to: elsewhere) }
        defer { server.stop() }
        let transport = try transport {
            $0.additionalHeaders = ["Authorization": "Bearer s", "X-Client": "7"]
        }
        let headers = try await echo(of: URLRequest(url: server.url), over: transport).headers
        #expect(server.requests.first?.value(for: "Authorization") == "Bearer s")
        #expect(headers["authorization"] == nil)
        #expect(headers["x-client"] == nil)
    }

    @Test(arguments: [
        ("X-Bad", "a\r\nX-Injected: 1"), ("X-Bad", "a\nb"), ("bad name", "a"), ("", "a"),
        ("X\r\nY", "a"),
    ])
    func `an additional header field that could split a message is an error`(
        name: String, value: String
    ) {
        let error = #expect(throws: FoundationTransport.ConfigurationError.self) {
            try transport { $0.additionalHeaders = [name: value] }
        }
        #expect(
            error?.description
                == "additionalHeaders contains the field \(name.debugDescription) with an invalid "
                + "name or value (RFC 9110, section 5). Remove spaces from the name, and control "
                + "characters from both.")
    }

    // MARK: Cookies

    @Test func `cookies are kept in the configured storage`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let storage = try #require(URLSessionConfiguration.ephemeral.httpCookieStorage)
        let transport = try transport { $0.cookies = storage }
        let url = try #require(URL(string: server.url.absoluteString + "/cookies/set?session=1"))
        // The server responds with a redirect, so the cookie is stored before the redirect is
        // followed.
        let response = try await transport.send(TransportRequest(URLRequest(url: url)))
        guard case .data(let data) = response.body else { throw URLError(.unknown) }
        #expect(
            try JSONDecoder().decode([String: [String: String]].self, from: data)
                == ["cookies": ["session": "1"]])
        #expect(storage.cookies?.map(\.name) == ["session"])
    }

    @Test(arguments: [
        ("/", "any=1"), ("/shop", "shop=2; any=1"), ("/shop/cart", "shop=2; any=1"),
        ("/shopping", "any=1"),
    ])
    func `stored cookies are sent only to matching paths and schemes`(
        path: String, expected: String
    ) async throws {
        let server = try MockServer()
        defer { server.stop() }
        let storage = try #require(URLSessionConfiguration.ephemeral.httpCookieStorage)
        for (name, value, path, isSecure) in [
            ("any", "1", "/", false), ("shop", "2", "/shop", false), ("secret", "3", "/", true),
        ] {
            var properties: [HTTPCookiePropertyKey: Any] = [
                .name: name, .value: value, .path: path, .domain: "127.0.0.1",
            ]
            if isSecure { properties[.secure] = "TRUE" }
            storage.setCookie(try #require(HTTPCookie(properties: properties)))
        }
        let url = try #require(URL(string: server.url.absoluteString + path))
        var request = URLRequest(url: url)
        let transport = try transport { $0.cookies = storage }
        _ = try await transport.send(TransportRequest(request))
        #expect(server.requests.last?.value(for: "Cookie") == expected)
        request.setValue("own=4", forHTTPHeaderField: "Cookie")
        _ = try await transport.send(TransportRequest(request))
        #if os(Linux)
            #expect(server.requests.last?.value(for: "Cookie") == "own=4")
        #endif
    }

    @Test func `a request without cookie handling sends and stores no cookies`() async throws {
        let server = try MockServer { request in
            request.path == "/"
                ? .redirect(to: "/next").adding("Set-Cookie", "first=1")
                : .text("").adding("Set-Cookie", "second=2")
        }
        defer { server.stop() }
        let storage = try #require(URLSessionConfiguration.ephemeral.httpCookieStorage)
        let properties: [HTTPCookiePropertyKey: Any] = [
            .name: "kept", .value: "3", .path: "/", .domain: "127.0.0.1",
        ]
        storage.setCookie(try #require(HTTPCookie(properties: properties)))
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = storage
        var request = URLRequest(url: server.url)
        request.httpShouldHandleCookies = false
        let transports: [any Transport] = [
            try transport { $0.cookies = storage }, Session(configuration: configuration),
        ]
        for transport in transports {
            _ = try await transport.send(TransportRequest(request))
            #expect(server.requests.suffix(2).map(\.path) == ["/", "/next"])
            #expect(server.requests.allSatisfy { $0.value(for: "Cookie") == nil })
            #expect(storage.cookies?.map(\.name) == ["kept"])
        }
        // Requests with cookie handling send and store cookies on the same transports.
        for transport in transports {
            _ = try await transport.send(TransportRequest(URLRequest(url: server.url)))
            let sent = server.requests.last?.value(for: "Cookie")
            #expect(sent?.contains("kept=3") == true)
            #expect(sent?.contains("first=1") == true)
        }
    }

    // MARK: Unsupported options

    @Test(arguments: [0, -1, 65_536])
    func `a proxy with an invalid port is an error`(port: Int) {
        let error = #expect(throws: FoundationTransport.ConfigurationError.self) {
            try transport { $0.proxy = .http(host: "proxy.test", port: port) }
        }
        #expect(
            error?.description
                == "The proxy proxy.test:\(port) needs a host and a port from 1 to 65535.")
    }

    @Test func `a proxy without a host is an error`() {
        let error = #expect(throws: FoundationTransport.ConfigurationError.self) {
            try transport { $0.proxy = .http(host: "", port: 8080) }
        }
        #expect(
            error?.description == "The proxy :8080 needs a host and a port from 1 to 65535.")
    }

    #if os(Linux)
        // The port is valid, so the error is about the platform.
        @Test(arguments: [1, 65_535])
        func `the first and the last port are valid ports of a proxy`(port: Int) {
            let error = #expect(throws: FoundationTransport.ConfigurationError.self) {
                try transport { $0.proxy = .http(host: "proxy.test", port: port) }
            }
            #expect(
                error?.description.hasPrefix(
                    "URLSession on this platform cannot be configured with a proxy.") == true)
        }

        typealias Change = @Sendable (inout FoundationTransport.Configuration) -> Void

        static let impossible: [(Change, String)] = [
            (
                { $0.trust = .file(URL(fileURLWithPath: "/ca.pem")) },
                "cannot trust custom certificates. Use CurlTransport and its tls.trust, or add "
                    + "them to the system's certificates."
            ),
            (
                { $0.trust = .data(Data()) },
                "cannot trust custom certificates. Use CurlTransport and its tls.trust, or add "
                    + "them to the system's certificates."
            ),
            (
                { $0.minimumTLSVersion = .tls12 },
                "cannot set a minimum TLS version. Use CurlTransport and its tls.minimumVersion."
            ),
            (
                {
                    $0.clientCertificate = URLCredential(
                        user: "u", password: "p", persistence: .none)
                },
                "cannot send a client certificate. Use CurlTransport and its tls.identity."
            ),
            (
                { $0.assumesHTTP3 = true },
                "does not support HTTP/3. Use CurlTransport and its httpVersion."
            ),
            (
                { $0.backgroundIdentifier = "b" },
                "has no background sessions. Leave out backgroundIdentifier: Linux does not "
                    + "suspend processes."
            ),
            (
                { $0.proxy = .none },
                "cannot be configured with a proxy. Use CurlTransport and its proxy, or set "
                    + "http_proxy in the environment."
            ),
            (
                { $0.proxy = .http(host: "127.0.0.1", port: 8080) },
                "cannot be configured with a proxy. Use CurlTransport and its proxy, or set "
                    + "http_proxy in the environment."
            ),
            (
                { $0.cache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil) },
                "does not support URLCache. Add the layer .caching(in:) instead."
            ),
            (
                { $0.waitsForConnectivity = true },
                "cannot wait for a network connection. Add the layer .retrying() instead."
            ),
        ]

        @Test func `the environment sets the proxy, its credential and its exceptions`() async {
            await #expect(processExitsWith: .success) {
                let proxy = try MockServer { _ in .text("proxied") }
                let server = try MockServer { _ in .text("direct") }
                setenv("http_proxy", "http://user:pass@127.0.0.1:\(proxy.port)", 1)
                setenv("no_proxy", "127.0.0.1", 1)
                let transport = FoundationTransport()
                _ = try await transport.send(TransportRequest(URLRequest(url: server.url)))
                #expect(server.requests.map(\.target) == ["/"])
                let far = try #require(URL(string: "http://far.test/page"))
                _ = try await transport.send(TransportRequest(URLRequest(url: far)))
                #expect(proxy.requests.map(\.target) == ["http://far.test/page"])
                #expect(
                    proxy.requests.first?.value(for: "Proxy-Authorization")
                        == "Basic \(Data("user:pass".utf8).base64EncodedString())")
            }
        }

        @Test(arguments: impossible.indices)
        func `an option that URLSession on Linux lacks is an error that names an alternative`(
            index: Int
        ) {
            let (change, message) = Self.impossible[index]
            let error = #expect(throws: FoundationTransport.ConfigurationError.self) {
                try transport(change)
            }
            #expect(error?.description == "URLSession on this platform " + message)
        }
    #endif
}
