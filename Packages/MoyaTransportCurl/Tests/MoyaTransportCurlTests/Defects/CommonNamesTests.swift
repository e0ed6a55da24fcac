import Foundation
import MoyaCore
import MoyaTestSupport
import MoyaTransportCurl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Certificates that name the host in their common name alone (RFC 9525, section 6.3). Python's
/// `ssl` and Go's `crypto/tls` refuse them as well.
@Suite(.requires(.nginx, .openssl, .libcurlWithOpenSSL), .timeLimit(.minutes(3)))
struct CommonNamesTests {
    private func get(
        _ nginx: Nginx, _ change: (inout CurlTransport.Configuration) -> Void = { _ in }
    ) async throws -> Int {
        var configuration = CurlTransport.Configuration()
        configuration.tls.trust = .file(nginx.authority)
        change(&configuration)
        return try await CurlTransport(configuration: configuration)
            .send(TransportRequest(.patient(nginx.url))).head.statusCode
    }

    @Test func `a certificate without a host in its subjectAltName is refused`() async throws {
        let nginx = try await Nginx(.commonName)
        let error = await #expect(throws: URLError.self) { try await get(nginx) }
        #expect(error?.code == .serverCertificateUntrusted)
        #expect(error?.localizedDescription.contains("subjectAltName") == true)
        #expect(try nginx.requestCount == 0)
    }

    @Test func `a pinned certificate without a host in its subjectAltName is refused`()
        async throws
    {
        let nginx = try await Nginx(.commonName)
        for validatesChain in [false, true] {
            let evaluator = PinnedCertificatesTrustEvaluator(
                certificates: try nginx.certificates(), performDefaultValidation: validatesChain)
            let transport = try nginx.evaluatingTransport(["127.0.0.1": evaluator])
            let error = await #expect(throws: URLError.self) {
                try await transport.send(TransportRequest(.patient(nginx.url)))
            }
            #expect(error?.code == .serverCertificateUntrusted)
            #expect(error?.localizedDescription.contains("subjectAltName") == true)
        }
        #expect(try nginx.requestCount == 0)
    }

    @Test func `a certificate needs no subjectAltName if its host is not verified`() async throws {
        let nginx = try await Nginx(.commonName)
        let status = try await get(nginx) { $0.tls.dangerouslyUnverifiedHosts = ["127.0.0.1"] }
        #expect(status == 200)
        let evaluator = PinnedCertificatesTrustEvaluator(
            certificates: try nginx.certificates(), validateHost: false)
        let transport = try nginx.evaluatingTransport(["127.0.0.1": evaluator])
        let response = try await transport.send(TransportRequest(.patient(nginx.url)))
        #expect(response.head.statusCode == 200)
    }

    @Test(.requires(.apache("ssl", "proxy", "proxy_connect")))
    func `a proxy whose certificate has no host in its subjectAltName is refused`() async throws {
        let nginx = try await Nginx(.valid)
        let shown = try await Nginx(.commonName)
        let proxy = try await SecureProxy(showing: shown, to: nginx)
        let authorities = try [nginx, shown].map { try Data(contentsOf: $0.authority) }
        for text in [nginx.url.absoluteString, "http://a.test/"] {
            var configuration = CurlTransport.Configuration()
            configuration.tls.trust = .data(authorities[0] + authorities[1])
            configuration.proxy = .url(proxy.url)
            let transport = try CurlTransport(configuration: configuration)
            let url = try #require(URL(string: text))
            let error = await #expect(throws: URLError.self) {
                try await transport.send(TransportRequest(.patient(url)))
            }
            #expect(error?.localizedDescription.contains("subjectAltName") == true)
        }
        #expect(try proxy.requests.isEmpty)
    }
}
