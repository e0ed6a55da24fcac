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

/// Server trust over HTTP/3.
@Suite(
    .timeLimit(.minutes(3)),
    .requires(.http3, .caddy, .openssl))
struct HTTP3TrustTests {
    typealias TLS = CurlTransport.Configuration.TLS

    private static let otherPin = Data(repeating: 7, count: 32).base64EncodedString()

    private func configuration(
        _ caddy: Caddy, _ change: (inout TLS) -> Void
    ) -> CurlTransport.Configuration {
        var configuration = caddy.clientConfiguration
        change(&configuration.tls)
        return configuration
    }

    private func send(
        to caddy: Caddy, _ change: (inout TLS) -> Void = { _ in }
    ) async throws -> TransportResponse {
        let transport = try CurlTransport(configuration: configuration(caddy, change))
        return try await transport.send(TransportRequest(URLRequest(url: caddy.url)))
    }

    /// Expects that a request fails with one of `codes`, and does not reach the server.
    private func expectRefusal(
        _ codes: Set<URLError.Code>, certificate: TestCertificates.Kind = .valid,
        _ change: (Caddy, inout TLS) throws -> Void = { _, _ in }
    ) async throws {
        let server = try MockServer { _ in .text("x") }
        defer { server.stop() }
        let caddy = try await Caddy(before: server.port, .init(certificate: certificate))
        var tls = caddy.clientConfiguration.tls
        try change(caddy, &tls)
        let error = await #expect(throws: URLError.self) {
            try await send(to: caddy) { $0 = tls }
        }
        #expect(codes.contains(try #require(error?.code)), "\(String(describing: error))")
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: [TestCertificates.Kind.selfSigned, .expired, .otherHost])
    func `an untrusted certificate is refused over HTTP/3`(certificate: TestCertificates.Kind)
        async throws
    {
        // The error does not always name the fault of the certificate.
        try await expectRefusal(
            [
                .serverCertificateHasUnknownRoot, .serverCertificateHasBadDate,
                .serverCertificateUntrusted,
            ], certificate: certificate)
    }

    @Test func `a certificate of an unknown authority is refused over HTTP/3`() async throws {
        try await expectRefusal([
            .serverCertificateHasUnknownRoot, .serverCertificateUntrusted,
        ]) { $1.trust = .system }
    }

    @Test func `verification over HTTP/3 can be disabled for named hosts only`() async throws {
        let server = try MockServer { _ in .text("x") }
        defer { server.stop() }
        let caddy = try await Caddy(before: server.port, .init(certificate: .selfSigned))
        let response = try await send(to: caddy) { $0.dangerouslyUnverifiedHosts = ["127.0.0.1"] }
        #expect(response.metrics.protocolName == "h3")
        await #expect(throws: URLError.self) {
            try await send(to: caddy) { $0.dangerouslyUnverifiedHosts = ["example.test"] }
        }
    }

    @Test func `a host that matches one of its pins is accepted over HTTP/3`() async throws {
        let server = try MockServer { _ in .text("x") }
        defer { server.stop() }
        let caddy = try await Caddy(before: server.port)
        let response = try await send(to: caddy) {
            $0.pinnedKeys = ["127.0.0.1": [Self.otherPin, caddy.pin]]
        }
        #expect(response.metrics.protocolName == "h3")
    }

    @Test(arguments: [true, false])
    func `a host whose key matches no pin is refused over HTTP/3`(isVerified: Bool) async throws {
        try await expectRefusal([.secureConnectionFailed]) {
            $1.pinnedKeys = ["127.0.0.1": [Self.otherPin]]
            if !isVerified { $1.dangerouslyUnverifiedHosts = ["127.0.0.1"] }
        }
    }

    @Test
    func `an evaluator evaluates each HTTP/3 connection once, by the server's own certificate`()
        async throws
    {
        let server = try MockServer { _ in .text("x") }
        defer { server.stop() }
        let caddy = try await Caddy(before: server.port)
        let own = try ServerCertificate.certificates(pem: Data(contentsOf: caddy.certificate))
        let evaluator = Witness()
        let configuration = configuration(caddy) {
            $0.serverTrustManager = ServerTrustManager(evaluators: ["127.0.0.1": evaluator])
        }
        let transport = try CurlTransport(configuration: configuration)
        let request = TransportRequest(URLRequest(url: caddy.url))
        let metrics = try await withThrowingTaskGroup(of: TransportMetrics.self) { group in
            for _ in 0..<50 { group.addTask { try await transport.send(request).metrics } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(metrics.allSatisfy { $0.protocolName == "h3" })
        let seen = evaluator.seen.withLock { $0 }
        #expect(seen.count == metrics.count { $0.isReusedConnection == false })
        #expect(seen.allSatisfy { $0.first == own.first })
    }

    @Test func `a server that an evaluator refuses gets no HTTP/3 request`() async throws {
        try await expectRefusal([.serverCertificateUntrusted]) { caddy, tls in
            let other = try ServerCertificate.certificates(
                pem: Data(contentsOf: caddy.clientCertificate))
            tls.serverTrustManager = ServerTrustManager(evaluators: [
                "127.0.0.1": PinnedCertificatesTrustEvaluator(certificates: other)
            ])
        }
    }

    @Test func `a client certificate is sent over HTTP/3 to a server that asks for it`()
        async throws
    {
        let server = try MockServer { _ in .text("x") }
        defer { server.stop() }
        let caddy = try await Caddy(before: server.port, .init(asksForClientCertificate: true))
        let shown = try await send(to: caddy) {
            $0.identity = .pem(certificate: caddy.clientCertificate, key: caddy.clientKey)
        }
        #expect(shown.head.statusCode == 200)
        #expect(shown.metrics.protocolName == "h3")
        await #expect(throws: URLError.self) { try await send(to: caddy) }
        #expect(server.requests.count == 1)
    }
}

/// Accepts and records every server's certificates.
private final class Witness: ServerTrustEvaluating {
    let validation = TrustValidation()
    let seen = Locked<[[ServerCertificate]]>([])

    func evaluate(_ certificates: [ServerCertificate], forHost host: String) throws {
        seen.withLock { $0.append(certificates) }
    }
}
