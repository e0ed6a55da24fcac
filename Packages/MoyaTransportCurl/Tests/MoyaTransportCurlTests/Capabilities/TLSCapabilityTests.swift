import Foundation
import MoyaCore
import MoyaTransportCurl
import MoyaTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// TLS settings, with nginx.
@Suite(
    .requires(.nginx, .openssl))
struct TLSCapabilityTests {
    typealias TLS = CurlTransport.Configuration.TLS

    private func send(
        to nginx: Nginx, path: String = "", _ change: (inout TLS) -> Void
    ) async throws -> TransportResponse {
        try await fetch(nginx.url.appendingPathComponent(path).absoluteString) {
            $0.tls.trust = .file(nginx.authority)
            change(&$0.tls)
        }
    }

    private static let otherPin = Data(repeating: 7, count: 32).base64EncodedString()

    @Test func `a host that matches one of its pins is accepted`() async throws {
        let nginx = try await Nginx(.valid)
        let response = try await send(to: nginx) {
            $0.pinnedKeys = ["127.0.0.1": [Self.otherPin, nginx.pin]]
        }
        #expect(response.head.statusCode == 200)
    }

    @Test func `a host whose key matches no pin is refused`() async throws {
        let nginx = try await Nginx(.valid)
        let error = await #expect(throws: URLError.self) {
            try await send(to: nginx) { $0.pinnedKeys = ["127.0.0.1": [Self.otherPin]] }
        }
        #expect(error?.code == .secureConnectionFailed)
        #expect(try nginx.requestCount == 0)
    }

    @Test func `pins apply only to matching hosts, wildcards included`() async throws {
        let nginx = try await Nginx(.valid)
        let response = try await send(to: nginx) {
            $0.pinnedKeys = ["example.test": [Self.otherPin], "*.0.0.1": [nginx.pin]]
        }
        #expect(response.head.statusCode == 200)
        await #expect(throws: URLError.self) {
            try await send(to: nginx) { $0.pinnedKeys = ["*.0.0.1": [Self.otherPin]] }
        }
    }

    @Test func `pins are checked for hosts whose certificate is not verified`() async throws {
        let nginx = try await Nginx(.selfSigned)
        await #expect(throws: URLError.self) {
            try await send(to: nginx) {
                $0.dangerouslyUnverifiedHosts = ["127.0.0.1"]
                $0.pinnedKeys = ["127.0.0.1": [Self.otherPin]]
            }
        }
    }

    @Test(arguments: [Nginx.Certificate.selfSigned, .expired, .otherHost])
    func `verification can be disabled for named hosts only`(
        certificate: Nginx.Certificate
    ) async throws {
        let nginx = try await Nginx(certificate)
        let response = try await send(to: nginx) { $0.dangerouslyUnverifiedHosts = ["127.0.0.1"] }
        #expect(response.head.statusCode == 200)
        await #expect(throws: URLError.self) {
            try await send(to: nginx) { $0.dangerouslyUnverifiedHosts = ["example.test"] }
        }
    }

    @Test func `a client certificate is sent from PEM and PKCS#12, from files and memory`()
        async throws
    {
        let nginx = try await Nginx(Nginx.Site(asksForClientCertificate: true))
        let certificate = try Data(contentsOf: nginx.clientCertificate)
        let key = try Data(contentsOf: nginx.clientKey)
        for identity in [
            TLS.Identity.pem(certificate: nginx.clientCertificate, key: nginx.clientKey),
            .pem(
                certificate: nginx.clientCertificate, key: nginx.encryptedClientKey,
                password: "moya"),
            .pkcs12(nginx.clientPKCS12, password: "moya"),
            .pem(certificate: certificate, key: key),
            .pem(certificate: certificate + key, key: certificate + key),
            .pem(
                certificate: certificate, key: try Data(contentsOf: nginx.encryptedClientKey),
                password: "moya"),
            .pkcs12(try Data(contentsOf: nginx.clientPKCS12), password: "moya"),
        ] {
            let response = try await send(to: nginx, path: "client") { $0.identity = identity }
            #expect(try response.text == "CN=client")
        }
        let refusal = try await send(to: nginx) { _ in }
        #expect(refusal.head.statusCode == 400)
    }

    @Test(arguments: ["wrong", nil])
    func `a client certificate with a wrong or missing password is reported as rejected`(
        password: String?
    ) async throws {
        let nginx = try await Nginx(Nginx.Site(asksForClientCertificate: true))
        for identity in [
            TLS.Identity.pkcs12(nginx.clientPKCS12, password: password),
            .pem(
                certificate: nginx.clientCertificate, key: nginx.encryptedClientKey,
                password: password),
            .pkcs12(try Data(contentsOf: nginx.clientPKCS12), password: password),
            .pem(
                certificate: try Data(contentsOf: nginx.clientCertificate),
                key: try Data(contentsOf: nginx.encryptedClientKey), password: password),
        ] {
            let error = await #expect(throws: URLError.self) {
                try await send(to: nginx) { $0.identity = identity }
            }
            #expect(error?.code == .clientCertificateRejected)
        }
        #expect(try nginx.requestCount == 0)
    }

    @Test func `a server without a required stapled OCSP response is refused`() async throws {
        let nginx = try await Nginx(.valid)
        let error = await #expect(throws: URLError.self) {
            try await send(to: nginx) { $0.requiresStapledStatus = true }
        }
        #expect(error?.code == .secureConnectionFailed)
    }

    @Test func `a good stapled OCSP response is accepted, and a revoked certificate refused`()
        async throws
    {
        let good = try await Nginx(Nginx.Site(staple: .good))
        let response = try await send(to: good) { $0.requiresStapledStatus = true }
        #expect(response.head.statusCode == 200)
        // The second connection may resume the first one's session, which has no stapled status.
        var configuration = CurlTransport.Configuration()
        configuration.tls.trust = .file(good.authority)
        configuration.tls.requiresStapledStatus = true
        configuration.httpVersion = .http1
        let transport = try CurlTransport(configuration: configuration)
        let request = TransportRequest(URLRequest(url: good.url.appendingPathComponent("once")))
        for _ in 0..<3 { #expect(try await transport.send(request).head.statusCode == 200) }
        let revoked = try await Nginx(Nginx.Site(staple: .revoked))
        let error = await #expect(throws: URLError.self) {
            try await send(to: revoked) { $0.requiresStapledStatus = true }
        }
        #expect(error?.code == .secureConnectionFailed)
        #expect(error?.localizedDescription.contains("revocation") == true)
    }

    @Test func `TLS 1.0 is refused even where OpenSSL would allow it`() async throws {
        let nginx = try await Nginx(
            Nginx.Site(tlsVersions: "TLSv1", ciphers: "ALL:@SECLEVEL=0"))
        // A client that allows TLS 1.0 gets a response.
        let port = nginx.url.port ?? 0
        let client = "openssl s_client -connect 127.0.0.1:\(port) -tls1 -cipher ALL:@SECLEVEL=0"
        try await TestCertificates.run(
            "printf 'GET / HTTP/1.0\\r\\n\\r\\n' | \(client) -quiet -ign_eof | grep -q hello",
            "nginx speaks no TLS 1.0.")
        #expect(try await nginx.requestCount(atLeast: 1) == 1)
        let error = await #expect(throws: URLError.self) {
            try await send(to: nginx) { $0.cipherSuites = "ALL:@SECLEVEL=0" }
        }
        #expect(error?.code == .secureConnectionFailed)
        #expect(try nginx.requestCount == 1)
    }

    @Test func `only the configured TLS 1.3 cipher suites are offered`() async throws {
        let nginx = try await Nginx(Nginx.Site(tlsVersions: "TLSv1.3"))
        for suite in ["TLS_CHACHA20_POLY1305_SHA256", "TLS_AES_128_GCM_SHA256"] {
            let response = try await send(to: nginx, path: "cipher") {
                $0.tls13CipherSuites = suite
            }
            #expect(try response.text == suite)
            #expect(response.metrics.tlsCipherSuite == suite)
            #expect(response.metrics.tlsVersion == "TLSv1.3")
        }
        let error = await #expect(throws: URLError.self) {
            try await send(to: nginx) { $0.tls13CipherSuites = "NONSENSE" }
        }
        #expect(error?.code == .secureConnectionFailed)
    }

    @Test func `a TLS version below the configured minimum is refused`() async throws {
        let nginx = try await Nginx(Nginx.Site(tlsVersions: "TLSv1.2"))
        #expect(try await send(to: nginx) { _ in }.head.statusCode == 200)
        let error = await #expect(throws: URLError.self) {
            try await send(to: nginx) { $0.minimumVersion = .tls13 }
        }
        #expect(error?.code == .secureConnectionFailed)
    }

    @Test func `only the configured TLS 1.2 cipher suites are offered`() async throws {
        let nginx = try await Nginx(Nginx.Site(tlsVersions: "TLSv1.2"))
        let response = try await send(to: nginx) {
            $0.cipherSuites = "ECDHE-ECDSA-AES256-GCM-SHA384"
        }
        #expect(response.head.statusCode == 200)
        #expect(response.metrics.tlsCipherSuite == "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384")
        #expect(response.metrics.tlsVersion == "TLSv1.2")
        // The server's key is not an RSA key.
        await #expect(throws: URLError.self) {
            try await send(to: nginx) { $0.cipherSuites = "ECDHE-RSA-AES256-GCM-SHA384" }
        }
        let error = await #expect(throws: URLError.self) {
            try await send(to: nginx) { $0.cipherSuites = "NONSENSE" }
        }
        #expect(error?.code == .secureConnectionFailed)
    }
}
