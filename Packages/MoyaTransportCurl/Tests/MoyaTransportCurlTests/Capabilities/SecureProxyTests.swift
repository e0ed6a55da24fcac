import Foundation
import MoyaCore
import MoyaInternals
import MoyaTransportCurl
import MoyaTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// TLS servers behind a TLS proxy.
@Suite(
    .requires(.nginx, .openssl, .apache("ssl", "proxy", "proxy_connect")))
struct SecureProxyTests {
    typealias TLS = CurlTransport.Configuration.TLS

    private func configuration(
        _ proxy: SecureProxy, trusting authorities: [URL]
    ) throws -> CurlTransport.Configuration {
        var configuration = CurlTransport.Configuration()
        configuration.proxy = .url(proxy.url)
        let certificates = try authorities.map { try Data(contentsOf: $0) }
        configuration.tls.trust = .data(certificates.reduce(Data(), +))
        return configuration
    }

    @Test func `A TLS server is reached through a TLS proxy`() async throws {
        let (front, nginx) = (try await Nginx(.valid), try await Nginx(.valid))
        let proxy = try await SecureProxy(showing: front, to: nginx)
        let configuration = try configuration(
            proxy, trusting: [front.authority, nginx.authority])
        let transport = try CurlTransport(configuration: configuration)
        let request = TransportRequest(URLRequest(url: nginx.url))
        for _ in 0..<2 {
            let response = try await transport.send(request)
            #expect(try response.head.statusCode == 200 && response.text == "hello\n")
            #expect(response.metrics.protocolName == "h2")
        }
        for authority in [front.authority, nginx.authority] {
            let half = try self.configuration(proxy, trusting: [authority])
            let transport = try CurlTransport(configuration: half)
            await #expect(throws: URLError.self) { try await transport.send(request) }
        }
        #expect(try await nginx.requestCount(atLeast: 2) == 2)
        let target = "127.0.0.1:\(nginx.url.port ?? 0)"
        #expect(try proxy.requests.allSatisfy { $0 == "CONNECT \(target) HTTP/1.1" })
    }

    @Test func `TLS version and cipher settings apply to the proxy's TLS`() async throws {
        let (front, nginx) = (try await Nginx(.valid), try await Nginx(.valid))
        let proxy = try await SecureProxy(
            showing: front, to: nginx,
            settings: """
                SSLProtocol TLSv1.2
                SSLCipherSuite ECDHE-ECDSA-AES128-GCM-SHA256
                """)
        let request = TransportRequest(URLRequest(url: nginx.url))
        func attempt(_ change: (inout TLS) -> Void) async throws -> Int {
            var configuration = try configuration(
                proxy, trusting: [front.authority, nginx.authority])
            change(&configuration.tls)
            let transport = try CurlTransport(configuration: configuration)
            return try await transport.send(request).head.statusCode
        }
        #expect(try await attempt { $0.minimumVersion = .tls12 } == 200)
        #expect(
            try await attempt {
                $0.cipherSuites = "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384"
            } == 200)
        let changes: [(inout TLS) -> Void] = [
            { $0.minimumVersion = .tls13 },
            { $0.cipherSuites = "ECDHE-ECDSA-AES256-GCM-SHA384" },
        ]
        for change in changes {
            let error = await #expect(throws: URLError.self) { try await attempt(change) }
            #expect(error?.code == .secureConnectionFailed)
        }
        #expect(try await nginx.requestCount(atLeast: 2) == 2)
    }

    @Test func `A server trust evaluator evaluates the server's certificate, not the proxy's`()
        async throws
    {
        let (front, nginx) = (try await Nginx(.valid), try await Nginx(.valid))
        let proxy = try await SecureProxy(showing: front, to: nginx)
        let request = TransportRequest(URLRequest(url: nginx.url))
        for (pinned, isRight) in [
            (nginx.certificate, true), (nginx.authority, true), (front.certificate, false),
            (front.authority, false),
        ] {
            var configuration = try configuration(
                proxy, trusting: [front.authority, nginx.authority])
            let certificates = try ServerCertificate.certificates(pem: Data(contentsOf: pinned))
            configuration.tls.serverTrustManager = ServerTrustManager(evaluators: [
                "127.0.0.1": PinnedCertificatesTrustEvaluator(certificates: certificates)
            ])
            let transport = try CurlTransport(configuration: configuration)
            let code = await Result.catching { try await transport.send(request) }
                .map(\.head.statusCode)
            if isRight {
                #expect(try code.get() == 200)
            } else {
                let error = #expect(throws: URLError.self) { try code.get() }
                #expect(error?.code == .serverCertificateUntrusted)
            }
        }
        #expect(try await nginx.requestCount(atLeast: 2) == 2)
    }
}
