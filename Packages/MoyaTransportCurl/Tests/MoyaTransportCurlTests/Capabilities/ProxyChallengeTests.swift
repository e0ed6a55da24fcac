import Foundation
import MoyaCore
import MoyaInternals
import MoyaMockServer
import MoyaTransportCurl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Proxies that challenge requests.
@Suite(.timeLimit(.minutes(3))) struct ProxyChallengeTests {
    /// A configuration whose requests go through `proxy` with a credential.
    private static func configuration(for proxy: RawServer) -> CurlTransport.Configuration {
        var configuration = CurlTransport.Configuration()
        configuration.proxy = .url(proxy.url)
        configuration.proxy.user = "ash"
        configuration.proxy.password = "secret"
        return configuration
    }

    /// libcurl does not show responses to CONNECT, and fails after 300 KiB of their header fields.
    @Test(arguments: [("http", 12), ("https", 3001)])
    func `A proxy that reports every nonce as stale fails the request`(
        scheme: String, limit: Int
    ) async throws {
        let count = Counter()
        let proxy = try RawServer { connection in
            while !connection.read(until: "\r\n\r\n").isEmpty {
                connection.write(
                    """
                    HTTP/1.1 407 Who\r
                    Proxy-Authenticate: Digest realm="r", nonce="n\(count.next())", qop="auth", stale=true\r
                    Content-Length: 0\r
                    \r

                    """)
            }
        }
        defer { proxy.stop() }
        var configuration = Self.configuration(for: proxy)
        configuration.exchangeTimeout = 10
        let transport = try CurlTransport(configuration: configuration)
        let url = try #require(URL(string: "\(scheme)://moya.test/"))
        await #expect(throws: URLError.self) {
            try await transport.send(TransportRequest(URLRequest(url: url)))
        }
        #expect(count.count <= limit)
    }

    /// RFC 9112, section 6.3.
    @Test func `a proxy's challenge with two lengths is an error, and is not answered`()
        async throws
    {
        let count = Counter()
        let proxy = try RawServer { connection in
            while !connection.read(until: "\r\n\r\n").isEmpty {
                count.next()
                connection.write(
                    "HTTP/1.1 407 Who\r\nProxy-Authenticate: Digest realm=\"r\", nonce=\"n\"\r\n"
                        + "Content-Length: 0\r\nContent-Length: 5\r\n\r\n")
            }
        }
        defer { proxy.stop() }
        let transport = try CurlTransport(configuration: Self.configuration(for: proxy))
        let url = try #require(URL(string: "http://moya.test/"))
        let error = await #expect(throws: URLError.self) {
            try await transport.send(TransportRequest(URLRequest(url: url)))
        }
        #expect(error?.code == .badServerResponse)
        #expect(count.count == 1)
    }

    /// Squid 5.7 does so after a request with a body, where the curl program hangs too
    /// (`--proxy-anyauth`). It passes with `--proxy-basic` and `--proxy-digest`.
    @Test(arguments: [
        ("Basic realm=\"p\"", "Basic YXNoOnNlY3JldA==", ["Basic", "Basic"]),
        // Once the proxy's scheme is known, each request is challenged once, or not at all where
        // libcurl keeps the nonce.
        (
            "Digest realm=\"p\", nonce=\"n\", qop=\"auth\"", "Digest username=\"ash\"",
            ["Basic", "Digest", "Digest"]
        ),
    ])
    func `an upload passes a proxy that reads nothing after a refusal`(
        challenge: String, expected: String, schemes: [String]
    ) async throws {
        let seen = Locked<[String]>([])
        let proxy = try RawServer { connection in
            while true {
                let received = connection.read(until: "\r\n\r\n")
                let head = String(decoding: received, as: UTF8.self)
                if head.isEmpty { return }
                let field = head.components(separatedBy: "Proxy-Authorization: ").dropFirst().first
                let scheme = field?.components(separatedBy: " ").first
                seen.withLock { $0.append(scheme ?? "-") }
                guard field?.hasPrefix(expected) == true else {
                    connection.write(
                        "HTTP/1.1 407 Who\r\nProxy-Authenticate: \(challenge)\r\n"
                            + "Content-Length: 0\r\n\r\n")
                    return connection.waitForClient()
                }
                if !head.hasSuffix("bend") { _ = connection.read(until: "bend") }
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            }
        }
        defer { proxy.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.threads = 1
        let port = proxy.port
        let address = try #require(URL(string: "http://ash:secret@127.0.0.1:\(port)"))
        configuration.proxy = .url(address)
        let transport = try CurlTransport(configuration: configuration)
        var request = URLRequest.patient(try #require(URL(string: "http://moya.test/")))
        request.httpMethod = "POST"
        request.httpBody = Data(repeating: UInt8(ascii: "b"), count: 100_000) + Data("end".utf8)
        for _ in 1...2 {
            #expect(try await transport.send(TransportRequest(request)).head.statusCode == 200)
        }
        let sent = seen.withLock { $0 }
        #expect(sent.filter { $0 != "-" } == schemes)
        #expect(sent.count <= schemes.count + 2)
    }

    /// RFC 9110, section 15.5.8: status 407 is a proxy's. There is none for this server.
    @Test func `a 407 of a server without a proxy is the response`() async throws {
        let server = try MockServer { _ in
            .text("Who?", status: 407)
                .adding("Proxy-Authenticate", "Digest realm=\"p\", nonce=\"n\", qop=\"auth\"")
        }
        defer { server.stop() }
        let proxy = CurlTransport.Configuration.Proxy.url(
            server.url, user: "ash", password: "secret", excluding: ["127.0.0.1"])
        for (count, settings) in [(1, .environment), (2, proxy)] {
            let response = try await fetch("\(server.url)/") { $0.proxy = settings }
            #expect(response.head.statusCode == 407)
            #expect(server.requests.count == count)
        }
    }

    /// In a child process, because the test sets an environment variable.
    @Test func `the environment's proxy with a user gets Digest if it offers nothing else`()
        async throws
    {
        await #expect(processExitsWith: .success) {
            let proxy = try MockServer { request in
                let challenge = "Digest realm=\"p\", nonce=\"n\", qop=\"auth\""
                return request.value(for: "Proxy-Authorization")?.hasPrefix("Digest ") == true
                    ? .text("in")
                    : .text("Who?", status: 407).adding("Proxy-Authenticate", challenge)
            }
            setenv("http_proxy", "http://ash:secret@127.0.0.1:\(proxy.port)", 1)
            let response = try await fetch("http://moya.test/") { $0.proxy = .environment }
            #expect(response.head.statusCode == 200)
        }
    }

    @Test func `a proxy that rejects the Basic password is asked once`() async throws {
        let proxy = try MockServer { _ in
            .text("Who?", status: 407)
                .adding("Proxy-Authenticate", "Basic realm=\"p\"")
                .adding("Proxy-Authenticate", "Digest realm=\"p\", nonce=\"n\", qop=\"auth\"")
        }
        defer { proxy.stop() }
        let response = try await fetch("http://moya.test/") {
            $0.proxy = .url(proxy.url, user: "ash", password: "guess")
        }
        #expect(response.head.statusCode == 407)
        #expect(proxy.requests.count == 1)
    }
}
