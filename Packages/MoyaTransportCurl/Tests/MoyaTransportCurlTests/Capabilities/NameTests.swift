import Foundation
import MoyaCore
import MoyaInternals
import MoyaMockServer
import MoyaTransportCurl
import MoyaTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// DNS over HTTPS (RFC 8484), with a name server that knows one domain.
@Suite(
    .requires(.nginx, .openssl))
struct NameTests {
    @Test func `A host name is resolved by DNS over HTTPS`() async throws {
        let names = try MockServer { answer($0) }
        defer { names.stop() }
        let server = try MockServer()
        defer { server.stop() }
        var site = Nginx.Site()
        site.portBehind = names.port
        let nginx = try await Nginx(site)

        var configuration = CurlTransport.Configuration()
        configuration.tls.trust = .file(nginx.authority)
        configuration.network.dnsOverHTTPS = nginx.url.appendingPathComponent("behind")
        let transport = try CurlTransport(configuration: configuration)
        let url = try #require(URL(string: "http://moya.test:\(server.port)/get"))
        let response = try await transport.send(TransportRequest(URLRequest(url: url)))
        #expect(response.head.statusCode == 200)
        #expect(names.requests.allSatisfy { $0.method == "POST" } && !names.requests.isEmpty)

        let unknown = try #require(URL(string: "http://unknown.test:\(server.port)/get"))
        let error = await #expect(throws: URLError.self) {
            try await transport.send(TransportRequest(URLRequest(url: unknown)))
        }
        #expect(error?.code == .cannotFindHost)
    }

    @Test func `a DNS-over-HTTPS lookup that failed is repeated by the next request`()
        async throws
    {
        let isAway = Locked(true)
        let names = try MockServer { request in
            isAway.withLock { $0 } ? MockResponse(status: 503) : answer(request)
        }
        defer { names.stop() }
        let server = try MockServer()
        defer { server.stop() }
        let nginx = try await nginx(before: names, speaksHTTP2: false)
        let transport = try transport(asking: nginx) { _ in }
        let url = try #require(URL(string: "http://moya.test:\(server.port)/get"))
        let error = await #expect(throws: URLError.self) {
            try await statuses(of: [url], transport)
        }
        #expect(error?.code == .cannotFindHost)
        isAway.withLock { $0 = false }
        #expect(try await statuses(of: [url], transport) == [200])
    }

    @Test(arguments: [false, true])
    func `A TLS server is reached by a name resolved by DNS over HTTPS`(
        isPinned: Bool
    ) async throws {
        let names = try MockServer { answer($0) }
        defer { names.stop() }
        var site = Nginx.Site()
        site.portBehind = names.port
        let nginx = try await Nginx(site)
        var configuration = CurlTransport.Configuration()
        configuration.network.dnsOverHTTPS = nginx.url.appendingPathComponent("behind")
        if isPinned {
            let authority = try ServerCertificate.certificates(
                pem: Data(contentsOf: nginx.authority))
            let own = try ServerCertificate.certificates(
                pem: Data(contentsOf: nginx.certificate))
            // The evaluator's roots also verify the name server.
            configuration.tls.serverTrustManager = ServerTrustManager(evaluators: [
                "moya.test": PinnedCertificatesTrustEvaluator(
                    certificates: authority + own, acceptSelfSignedCertificates: true)
            ])
        } else {
            configuration.tls.trust = .file(nginx.authority)
        }
        let transport = try CurlTransport(configuration: configuration)
        let url = try #require(URL(string: "https://moya.test:\(nginx.url.port ?? 0)/cipher"))
        for isReused in [false, true] {
            let response = try await transport.send(TransportRequest(URLRequest(url: url)))
            #expect(response.head.statusCode == 200)
            #expect(response.metrics.isReusedConnection == isReused)
        }
        #expect(!names.requests.isEmpty)
    }

    /// libcurl's lookups count against its connection limit, although each request already has its
    /// place.
    @Test(arguments: [(1, 1), (3, 12)])
    func `DNS-over-HTTPS lookups succeed while the connection limit is in use`(
        limit: Int, count: Int
    ) async throws {
        let names = try MockServer { answer($0) }
        defer { names.stop() }
        let server = try MockServer()
        defer { server.stop() }
        let nginx = try await nginx(before: names, speaksHTTP2: false)
        let transport = try transport(asking: nginx) {
            $0.maxConnections = limit
        }
        let urls = try (0..<count).map {
            try #require(URL(string: "http://a\($0).moya.test:\(server.port)/get"))
        }
        #expect(try await statuses(of: urls, transport) == Array(repeating: 200, count: count))
    }

    /// Requests on a shared connection are limited by libcurl only.
    @Test func `DNS-over-HTTPS lookups succeed beside a limit of one shared HTTP/2 connection`()
        async throws
    {
        let names = try MockServer { answer($0) }
        defer { names.stop() }
        let nginx = try await nginx(before: names, speaksHTTP2: true)
        let hosts = (0..<24).map { "a\($0).moya.test" }
        let transport = try transport(asking: nginx) {
            $0.maxConnections = 1
            $0.httpVersion = .http2PriorKnowledge
            $0.tls.dangerouslyUnverifiedHosts = Set(hosts)
        }
        let urls = try hosts.map {
            try #require(URL(string: "https://\($0):\(nginx.url.port ?? 0)/cipher"))
        }
        #expect(try await statuses(of: urls, transport) == Array(repeating: 200, count: 24))
    }

    @Test func `DNS-over-HTTPS lookups succeed while the name server is at its connection limit`()
        async throws
    {
        let names = try MockServer { request in
            request.path.contains("stall") ? .silence(then: .stall) : answer(request)
        }
        defer { names.stop() }
        let server = try MockServer()
        defer { server.stop() }
        let nginx = try await nginx(before: names, speaksHTTP2: false)
        let transport = try transport(asking: nginx) {
            $0.maxConnectionsPerHost = 1
        }
        let stall = TransportRequest(
            .patient(nginx.url.appendingPathComponent("behind/stall")))
        let first = Task { try await transport.send(stall) }
        _ = try await names.waitForRequests(1)
        let url = try #require(URL(string: "http://moya.test:\(server.port)/get"))
        #expect(try await statuses(of: [url], transport) == [200])
        first.cancel()
        _ = await first.result
    }

    private func nginx(before names: MockServer, speaksHTTP2: Bool) async throws -> Nginx {
        var site = Nginx.Site()
        site.portBehind = names.port
        site.speaksHTTP2 = speaksHTTP2
        return try await Nginx(site)
    }

    private func transport(
        asking nginx: Nginx, _ change: (inout CurlTransport.Configuration) -> Void
    ) throws -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.tls.trust = .file(nginx.authority)
        configuration.network.dnsOverHTTPS = nginx.url.appendingPathComponent("behind")
        change(&configuration)
        return try CurlTransport(configuration: configuration)
    }

    private func statuses(of urls: [URL], _ transport: CurlTransport) async throws -> [Int] {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for url in urls {
                group.addTask {
                    try await transport.send(TransportRequest(.patient(url))).head.statusCode
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}

private func answer(_ request: MockRequest) -> MockResponse {
    MockResponse(
        headers: [HeaderField(name: "Content-Type", value: "application/dns-message")],
        body: .data(answer(to: request.body)))
}

/// The response to a DNS query (RFC 1035, section 4): 127.0.0.1 for the IPv4 address of `moya.test`
/// and its subdomains, and NXDOMAIN otherwise.
private func answer(to query: Data) -> Data {
    let bytes = [UInt8](query)
    guard let end = bytes.dropFirst(12).firstIndex(of: 0), end + 5 <= bytes.count else {
        return Data()
    }
    let question = bytes[12..<end + 5]
    let isKnown =
        question.dropLast(5).suffix(10).elementsEqual(
            [4] + Array("moya".utf8) + [4] + Array("test".utf8))
        && bytes[end + 2] == 1
    let head = bytes[0..<2] + [0x81, isKnown ? 0x80 : 0x83, 0, 1, 0, isKnown ? 1 : 0, 0, 0, 0, 0]
    // A pointer to the question's name, 12 bytes from the start.
    let record: [UInt8] = [0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1]
    return Data(head + question + (isKnown ? record : []))
}
