import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTesting
import MoyaTransportCurl
import MoyaTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct ProxyTests {
    private typealias Proxy = CurlTransport.Configuration.Proxy

    private func send(
        _ text: String, through proxy: Proxy,
        trust: CurlTransport.Configuration.TLS.Trust = .system
    ) async throws -> TransportResponse {
        try await fetch(text) {
            $0.proxy = proxy
            $0.tls.trust = trust
        }
    }

    @Test func `a request through an HTTP proxy has the whole URL as its target`() async throws {
        let proxy = try MockServer { .text("from the proxy for \($0.target)") }
        defer { proxy.stop() }
        let response = try await send("http://api.example.test/x", through: .url(proxy.url))
        #expect(try response.text == "from the proxy for http://api.example.test/x")
    }

    /// As the curl program does, with `--proxy-user`.
    @Test func `a proxy gets the Basic credential without a challenge, and a server does not`()
        async throws
    {
        let server = try MockServer()
        defer { server.stop() }
        let proxy = try MockServer { _ in .text("through") }
        defer { proxy.stop() }
        let through = Proxy.url(
            proxy.url, user: "ash", password: "secret", excluding: ["127.0.0.1"])
        let response = try await send("http://api.example.test/", through: through)
        #expect(response.head.statusCode == 200)
        let known = proxy.requests.last?.value(for: "Proxy-Authorization")
        #expect(known == "Basic " + Data("ash:secret".utf8).base64EncodedString())
        // Excluded, so it is reached without the proxy.
        _ = try await send("\(server.url)/get", through: through)
        #expect(server.requests.first?.value(for: "Proxy-Authorization") == nil)
        #expect(proxy.requests.count == 1)
    }

    @Test(.requires(.nginx, .openssl)) func `a TLS proxy is verified with the configured trust`()
        async throws
    {
        let nginx = try await Nginx(.valid)
        let known: [CurlTransport.Configuration.TLS.Trust] = [
            .file(nginx.authority), .data(try Data(contentsOf: nginx.authority)),
        ]
        for trust in known {
            let response = try await send(
                "http://api.example.test/", through: .url(nginx.url), trust: trust)
            #expect(response.head.statusCode == 200)
        }
        let error = await #expect(throws: URLError.self) {
            try await send("http://api.example.test/", through: .url(nginx.url))
        }
        #expect(error?.code == .serverCertificateHasUnknownRoot)
    }

    @Test(
        .requires(.nginx, .openssl),
        arguments: [
            ("Basic realm=\"p\"", "Basic YXNoOnNlY3JldA==", 1),
            // Basic, nothing, and the answer to the challenge.
            ("Digest realm=\"p\", nonce=\"n\", qop=\"auth\"", "Digest username=\"ash\"", 3),
        ])
    func `a CONNECT tunnel authenticates to the proxy without sending credentials to the origin`(
        challenge: String, answer: String, count: Int
    ) async throws {
        let nginx = try await Nginx(.valid)
        let tunnel = try Tunnel(.connect(challenge: challenge, expecting: answer))
        defer { tunnel.stop() }
        let response = try await send(
            nginx.url.appendingPathComponent("proxy-field").absoluteString,
            through: .url(tunnel.url, user: "ash", password: "secret"),
            trust: .file(nginx.authority))
        #expect(response.head.statusCode == 200)
        #expect(try response.text == "[]")
        #expect(response.head.value(for: "X-Tunnel") == nil)
        #expect(tunnel.heads.count == count)
        let start = "CONNECT 127.0.0.1:\(nginx.url.port ?? 0) HTTP/1.1"
        #expect(tunnel.heads.allSatisfy { $0.hasPrefix(start) })
    }

    @Test(.requires(.nginx, .openssl)) func `proxy fields are sent to the proxy alone`()
        async throws
    {
        let nginx = try await Nginx(.valid)
        let expected = "Bearer \(UUID())"
        let tunnel = try Tunnel(.connect(challenge: "Bearer", expecting: expected))
        defer { tunnel.stop() }
        var proxy = Proxy.url(tunnel.url)
        proxy.fields = [
            HeaderField(name: "Proxy-Authorization", value: expected),
            HeaderField(name: "X-Gate", value: "7"),
        ]
        let response = try await send(
            nginx.url.appendingPathComponent("proxy-field").absoluteString,
            through: proxy, trust: .file(nginx.authority))
        #expect(try response.text == "[]")
        // Sent without a challenge.
        #expect(tunnel.heads.count == 1)
        #expect(tunnel.heads.first?.contains("\r\nX-Gate: 7\r\n") == true)
        let server = try MockServer()
        defer { server.stop() }
        proxy.excludedHosts = ["127.0.0.1"]
        _ = try await send("\(server.url)/get", through: proxy)
        #expect(server.requests.first?.value(for: "Proxy-Authorization") == nil)
        #expect(server.requests.first?.value(for: "X-Gate") == nil)
    }

    @Test(arguments: [("X Y", "z"), ("X-Y", "a\r\nZ: b"), ("", "z")])
    func `a proxy field with an invalid name or value is refused`(name: String, value: String) {
        var configuration = CurlTransport.Configuration()
        configuration.proxy.fields = [HeaderField(name: name, value: value)]
        let error = #expect(throws: CurlTransport.ConfigurationError.self) {
            try CurlTransport(configuration: configuration)
        }
        #expect(error.map { "\($0)".contains("proxy.fields") } == true)
    }

    @Test(arguments: ["403 Forbidden", "502 Bad Gateway", "407 Who"])
    func `a refused tunnel is an error with the proxy's status`(
        status: String
    ) async throws {
        let tunnel = try Tunnel(.refusal(status))
        defer { tunnel.stop() }
        let error = await #expect(throws: URLError.self) {
            try await send("https://api.example.test/", through: .url(tunnel.url))
        }
        #expect(error?.code == .cannotConnectToHost)
        #expect(error?.localizedDescription.contains(status.prefix(3)) == true)
    }

    @Test(arguments: ["socks4", "socks4a"])
    func `requests pass through a SOCKS 4 proxy`(scheme: String) async throws {
        let server = try MockServer()
        defer { server.stop() }
        let tunnel = try Tunnel(.socks4)
        defer { tunnel.stop() }
        let url = try #require(URL(string: "\(scheme)://127.0.0.1:\(tunnel.url.port ?? 0)"))
        let response = try await send("http://localhost:\(server.port)/get", through: .url(url))
        #expect(response.head.statusCode == 200)
        #expect(tunnel.addressType == (scheme == "socks4a" ? 3 : 1))
    }

    @Test func `a SOCKS 5 proxy receives the user name and password`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let tunnel = try Tunnel(.socks5(user: "ash", password: "secret"))
        defer { tunnel.stop() }
        let url = try #require(URL(string: "socks5h://127.0.0.1:\(tunnel.url.port ?? 0)"))
        let text = "http://localhost:\(server.port)/get"
        let response = try await send(
            text, through: .url(url, user: "ash", password: "secret"))
        #expect(response.head.statusCode == 200)
        let error = await #expect(throws: URLError.self) {
            try await send(text, through: .url(url, user: "ash", password: "guess"))
        }
        #expect(error?.code == .cannotConnectToHost)
        #expect(server.requests.count == 1)
    }

    @Test(arguments: ["socks5", "socks5h"])
    func `requests pass through a SOCKS 5 proxy`(scheme: String) async throws {
        let server = try MockServer()
        defer { server.stop() }
        let tunnel = try Tunnel(.socks5())
        defer { tunnel.stop() }
        let url = try #require(URL(string: "\(scheme)://127.0.0.1:\(tunnel.url.port ?? 0)"))
        let response = try await send("http://localhost:\(server.port)/get", through: .url(url))
        #expect(response.head.statusCode == 200)
        // 3 is a host name, 1 and 4 are addresses of either kind (RFC 1928, section 5).
        let types: Set<UInt8> = scheme == "socks5h" ? [3] : [1, 4]
        #expect(types.contains(tunnel.addressType))
    }

    @Test func `an unreachable proxy is an error`() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:1"))
        let error = await #expect(throws: URLError.self) {
            try await send("http://api.example.test/", through: .url(url))
        }
        #expect(error?.code == .cannotConnectToHost)
    }

    /// In a child process, because the test sets environment variables.
    @Test func `the environment's proxies are used only when configured`() async throws {
        await #expect(processExitsWith: .success) {
            let proxy = try MockServer { _ in .text("from the proxy") }
            let server = try MockServer()
            setenv("http_proxy", proxy.url.absoluteString, 1)
            for (settings, count) in [
                (CurlTransport.Configuration.Proxy.none, 0), (.environment, 1),
            ] {
                _ = try await fetch("\(server.url)/get") { $0.proxy = settings }
                #expect(proxy.requests.count == count)
                #expect(server.requests.count == 1)
            }
        }
    }

    /// `HTTP_PROXY` in upper case is ignored: under CGI, a client's `Proxy` header field would set
    /// it.
    @Test(arguments: [
        ("all_proxy", "http", true), ("ALL_PROXY", "http", true), ("http_proxy", "http", true),
        ("https_proxy", "http", false), ("HTTP_PROXY", "http", false),
        ("all_proxy", "https", true), ("ALL_PROXY", "https", true), ("https_proxy", "https", true),
        ("HTTPS_PROXY", "https", true), ("http_proxy", "https", false),
    ])
    func `the environment's proxies apply by URL scheme, or to all URLs`(
        name: String, scheme: String, isMeant: Bool
    ) async throws {
        await #expect(processExitsWith: .success) { [name, scheme, isMeant] in
            let arrived = Counter()
            let proxy = try RawServer { connection in
                _ = connection.read(until: "\r\n\r\n")
                arrived.next()
                connection.write("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
            }
            setenv(name, proxy.url.absoluteString, 1)
            // No server listens on this port.
            let response = try? await fetch("\(scheme)://127.0.0.1:1/") { $0.proxy = .environment }
            #expect(response?.head.statusCode == (isMeant && scheme == "http" ? 403 : nil))
            #expect(arrived.count == (isMeant ? 1 : 0))
        }
    }

    @Test func `a proxy of an unknown scheme is an error`() throws {
        let url = try #require(URL(string: "gopher://127.0.0.1"))
        var configuration = CurlTransport.Configuration()
        configuration.proxy = .url(url)
        let error = #expect(throws: CurlTransport.ConfigurationError.self) {
            try CurlTransport(configuration: configuration)
        }
        #expect(error?.description.contains("socks5h") == true)
    }

    /// In a child process, because the test sets environment variables.
    @Test(arguments: ["gopher://ash:secret@127.0.0.1:1", "http://ash:secret@127.0.0.1:99999"])
    func `an invalid proxy in the environment is an error that hides its password`(
        text: String
    ) async throws {
        await #expect(processExitsWith: .success) { [text] in
            setenv("all_proxy", text, 1)
            let error = await #expect(throws: URLError.self) {
                try await fetch("http://127.0.0.1:1/") { $0.proxy = .environment }
            }
            #expect(error?.code == .cannotConnectToHost)
            #expect(error?.localizedDescription.contains("environment") == true)
            let cause = error?.userInfo[NSUnderlyingErrorKey] as? CurlError
            #expect(cause?.message.isEmpty == false)
            for whole in ["\(String(describing: error))", "\(error?.userInfo ?? [:])"] {
                #expect(!whole.contains("secret"))
            }
        }
    }

    @Test(arguments: ["http://ash:secret@127.0.0.1:0", "socks5h://ash:secret@127.0.0.1:65536"])
    func `a proxy with an invalid port is an error that hides its password`(text: String) throws {
        var configuration = CurlTransport.Configuration()
        configuration.proxy = .url(try #require(URL(string: text)))
        let error = #expect(throws: CurlTransport.ConfigurationError.self) {
            try CurlTransport(configuration: configuration)
        }
        #expect(error?.description.contains("port") == true)
        #expect(error?.description.contains("secret") == false)
    }
}
