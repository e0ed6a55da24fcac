import Foundation
import MoyaCore
import MoyaTransportCurl
import MoyaTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// TLS with nginx and generated certificates.
@Suite(
    .requires(.nginx, .openssl))
struct TLSTests {
    private func transport(
        _ trust: CurlTransport.Configuration.TLS.Trust,
        _ version: CurlTransport.Configuration.HTTPVersion = .automatic
    ) throws -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.tls.trust = trust
        configuration.httpVersion = version
        return try CurlTransport(configuration: configuration)
    }

    private func request(_ url: URL) -> TransportRequest {
        TransportRequest(URLRequest(url: url))
    }

    @Test func `the caller's certificates are trusted, from a file and from data`() async throws {
        let nginx = try await Nginx(.valid)
        for trust in [
            CurlTransport.Configuration.TLS.Trust.file(nginx.authority),
            .data(try Data(contentsOf: nginx.authority)),
        ] {
            let response = try await transport(trust).send(request(nginx.url))
            #expect(response.head.statusCode == 200)
            guard case .data(Data("hello\n".utf8)) = response.body else {
                Issue.record("The body is another.")
                return
            }
            #expect(response.metrics.secureConnect != nil)
        }
    }

    @Test(arguments: [
        (Nginx.Certificate.valid, false, [URLError.Code.serverCertificateHasUnknownRoot]),
        (.selfSigned, true, [.serverCertificateHasUnknownRoot]),
        (.expired, true, [.serverCertificateHasBadDate]),
        (.otherHost, true, [.serverCertificateUntrusted]),
    ])
    func `an untrusted certificate is refused`(
        certificate: Nginx.Certificate, knowsAuthority: Bool, codes: [URLError.Code]
    ) async throws {
        let nginx = try await Nginx(certificate)
        let transport = try transport(knowsAuthority ? .file(nginx.authority) : .system)
        let error = await #expect(throws: URLError.self) {
            try await transport.send(request(nginx.url))
        }
        #expect(codes.contains(try #require(error?.code)))
    }

    @Test func `HTTP/2 is used over few connections where the server offers it`() async throws {
        let nginx = try await Nginx(.valid)
        let transport = try transport(.file(nginx.authority))
        let request = request(nginx.url)
        let metrics = try await withThrowingTaskGroup(of: TransportMetrics.self) { group in
            for _ in 0..<64 { group.addTask { try await transport.send(request).metrics } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(metrics.allSatisfy { $0.protocolName == "h2" })
        #expect(metrics.filter { $0.isReusedConnection == false }.count <= 2)
    }

    @Test func `HTTP/2 with prior knowledge works over TLS`() async throws {
        let nginx = try await Nginx(.valid)
        let transport = try transport(.file(nginx.authority), .http2PriorKnowledge)
        for _ in 0..<3 {
            #expect(try await transport.send(request(nginx.url)).metrics.protocolName == "h2")
        }
    }

    @Test func `HTTP/1.1 is used where the configuration requires it`() async throws {
        let nginx = try await Nginx(.valid)
        let metrics = try await transport(.file(nginx.authority), .http1).send(request(nginx.url))
            .metrics
        #expect(metrics.protocolName == "http/1.1")
    }

    @Test func `a redirect from https to http is refused`() async throws {
        let nginx = try await Nginx(.valid)
        let transport = try transport(.file(nginx.authority))
        let error = await #expect(throws: URLError.self) {
            try await transport.send(request(nginx.url.appendingPathComponent("to-http")))
        }
        #expect(error?.code == .appTransportSecurityRequiresSecureConnection)
    }
}
