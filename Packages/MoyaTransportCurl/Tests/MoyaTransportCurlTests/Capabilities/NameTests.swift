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
        let names = try MockServer { NameServer.answer($0) }
        defer { names.stop() }
        let server = try MockServer()
        defer { server.stop() }
        let nginx = try await Nginx(before: names.port)

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

    @Test(arguments: [false, true])
    func `A TLS server is reached by a name resolved by DNS over HTTPS`(
        isPinned: Bool
    ) async throws {
        let names = try MockServer { NameServer.answer($0) }
        defer { names.stop() }
        let nginx = try await Nginx(before: names.port)
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
        let names = try MockServer { NameServer.answer($0) }
        defer { names.stop() }
        let server = try MockServer()
        defer { server.stop() }
        let nginx = try await Nginx(before: names.port, speaksHTTP2: false)
        let transport = try NameServer.transport(asking: nginx) {
            $0.maxConnections = limit
        }
        let urls = try (0..<count).map {
            try #require(URL(string: "http://a\($0).moya.test:\(server.port)/get"))
        }
        #expect(
            try await NameServer.statuses(of: urls, transport)
                == Array(repeating: 200, count: count))
    }

    /// Requests on a shared connection are limited by libcurl only.
    @Test func `DNS-over-HTTPS lookups succeed beside a limit of one shared HTTP/2 connection`()
        async throws
    {
        let names = try MockServer { NameServer.answer($0) }
        defer { names.stop() }
        let nginx = try await Nginx(before: names.port, speaksHTTP2: true)
        let hosts = (0..<24).map { "a\($0).moya.test" }
        let transport = try NameServer.transport(asking: nginx) {
            $0.maxConnections = 1
            $0.httpVersion = .http2PriorKnowledge
            $0.tls.dangerouslyUnverifiedHosts = Set(hosts)
        }
        let urls = try hosts.map {
            try #require(URL(string: "https://\($0):\(nginx.url.port ?? 0)/cipher"))
        }
        #expect(
            try await NameServer.statuses(of: urls, transport) == Array(repeating: 200, count: 24))
    }

    @Test func `DNS-over-HTTPS lookups succeed while the name server is at its connection limit`()
        async throws
    {
        let names = try MockServer { request in
            request.path.contains("stall") ? .silence(then: .stall) : NameServer.answer(request)
        }
        defer { names.stop() }
        let server = try MockServer()
        defer { server.stop() }
        let nginx = try await Nginx(before: names.port, speaksHTTP2: false)
        let transport = try NameServer.transport(asking: nginx) {
            $0.maxConnectionsPerHost = 1
        }
        let stall = TransportRequest(
            .patient(nginx.url.appendingPathComponent("behind/stall")))
        let first = Task { try await transport.send(stall) }
        _ = try await names.waitForRequests(1)
        let url = try #require(URL(string: "http://moya.test:\(server.port)/get"))
        #expect(try await NameServer.statuses(of: [url], transport) == [200])
        first.cancel()
        _ = await first.result
    }
}
