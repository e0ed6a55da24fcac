import Foundation
import MoyaCore
import MoyaInternals
import MoyaTransportCurl
import MoyaTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Pins and unrelated certificates, and evaluation of later connections.
@Suite(
    .requires(.nginx, .openssl))
struct VerifiedChainTests {
    private func transport(
        _ nginx: Nginx, _ evaluator: any ServerTrustEvaluating
    ) throws -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.tls.trust = .file(nginx.authority)
        // Over HTTP/1.1, a closed connection makes the next request open another.
        configuration.httpVersion = .http1
        configuration.tls.serverTrustManager = ServerTrustManager(
            evaluators: ["127.0.0.1": evaluator])
        return try CurlTransport(configuration: configuration)
    }

    private func request(_ nginx: Nginx, _ path: String = "") -> TransportRequest {
        TransportRequest(URLRequest(url: nginx.url.appendingPathComponent(path)))
    }

    private func certificates(_ file: URL) throws -> [ServerCertificate] {
        try ServerCertificate.certificates(pem: Data(contentsOf: file))
    }

    @Test(arguments: [Nginx.Certificate.valid, .selfSigned], [true, false])
    func `An unrelated certificate sent beside the server's own matches no pin`(
        certificate: Nginx.Certificate, performsDefaultValidation: Bool
    ) async throws {
        let pinned = try await Nginx(.valid)
        let nginx = try await Nginx(
            Nginx.Site(certificate: certificate, shownBeside: pinned.certificate))
        let certificates = try certificates(pinned.certificate)
        for evaluator in [
            PinnedCertificatesTrustEvaluator(
                certificates: certificates, performDefaultValidation: performsDefaultValidation),
            PublicKeysTrustEvaluator(
                keys: certificates.compactMap(\.publicKey),
                performDefaultValidation: performsDefaultValidation),
        ] as [any ServerTrustEvaluating] {
            let transport = try transport(nginx, evaluator)
            await #expect(throws: URLError.self) { try await transport.send(request(nginx)) }
        }
        #expect(try nginx.requestCount == 0)
    }

    #if os(Linux)
        @Test func `An authority that issued the server's certificate can be pinned`()
            async throws
        {
            let nginx = try await Nginx(.valid)
            let authority = try certificates(nginx.authority)
            for evaluator in [
                PinnedCertificatesTrustEvaluator(certificates: authority),
                PublicKeysTrustEvaluator(keys: authority.compactMap(\.publicKey)),
            ] as [any ServerTrustEvaluating] {
                let response = try await transport(nginx, evaluator).send(request(nginx))
                #expect(response.head.statusCode == 200)
            }
        }
    #endif

    @Test func `A pinned authority is refused if the evaluator does not validate the chain`()
        async throws
    {
        let nginx = try await Nginx(.valid)
        let evaluator = PinnedCertificatesTrustEvaluator(
            certificates: try certificates(nginx.authority), performDefaultValidation: false)
        let transport = try transport(nginx, evaluator)
        await #expect(throws: URLError.self) { try await transport.send(request(nginx)) }
        #expect(try nginx.requestCount == 0)
    }

    @Test func `An evaluator receives the server's own certificate first`() async throws {
        let nginx = try await Nginx(.valid)
        let evaluator = RecordingEvaluator()
        _ = try await transport(nginx, evaluator).send(request(nginx))
        #expect(try evaluator.seen.first?.first == certificates(nginx.certificate).first)
    }

    @Test func `a refused connection is not reused, and later connections are evaluated`()
        async throws
    {
        let nginx = try await Nginx(.valid)
        let evaluator = RecordingEvaluator(refusals: 2)
        var configuration = CurlTransport.Configuration()
        configuration.tls.trust = .file(nginx.authority)
        configuration.tls.serverTrustManager = ServerTrustManager(
            evaluators: ["127.0.0.1": evaluator])
        let transport = try CurlTransport(configuration: configuration)
        for _ in 0..<2 {
            let error = await #expect(throws: URLError.self) {
                try await transport.send(request(nginx))
            }
            #expect(error?.code == .serverCertificateUntrusted)
        }
        #expect(try nginx.requestCount == 0)
        for isReused in [false, true] {
            let response = try await transport.send(request(nginx))
            #expect(response.head.statusCode == 200)
            #expect(response.metrics.isReusedConnection == isReused)
        }
        #expect(evaluator.seen.count == 3)
    }

    @Test func `The certificates of every Unix socket connection are evaluated`() async throws {
        let nginx = try await Nginx(.valid)
        let evaluator = RecordingEvaluator()
        var configuration = CurlTransport.Configuration()
        configuration.tls.trust = .file(nginx.authority)
        configuration.tls.serverTrustManager = ServerTrustManager(
            evaluators: ["127.0.0.1": evaluator])
        configuration.network.unixSocket = nginx.secureUnixSocket
        let transport = try CurlTransport(configuration: configuration)
        for _ in 0..<3 {
            let response = try await transport.send(request(nginx))
            #expect(response.head.statusCode == 200)
            #expect(response.metrics.isReusedConnection == false)
        }
        #expect(evaluator.seen.count == 3)
    }

    @Test func `The certificates of every new connection are evaluated`() async throws {
        let nginx = try await Nginx(.valid)
        let evaluator = RecordingEvaluator()
        let transport = try transport(nginx, evaluator)
        for _ in 0..<3 {
            #expect(try await transport.send(request(nginx, "once")).head.statusCode == 200)
        }
        #expect(evaluator.seen.count == 3)
        #expect(evaluator.seen.allSatisfy { $0 == evaluator.seen.first && !$0.isEmpty })
    }
}

private final class RecordingEvaluator: ServerTrustEvaluating {
    let validation = TrustValidation()
    private let calls = Locked<[[ServerCertificate]]>([])
    private let refusals: Int
    var seen: [[ServerCertificate]] { calls.withLock { $0 } }

    /// - Parameter refusals: The number of evaluations that are refused first.
    init(refusals: Int = 0) { self.refusals = refusals }

    func evaluate(_ certificates: [ServerCertificate], forHost host: String) throws {
        let count = calls.withLock { calls in
            calls.append(certificates)
            return calls.count
        }
        if count <= refusals { throw ServerTrustError("Not yet.") }
    }
}
