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

/// Trust evaluators, with nginx and generated certificates.
@Suite(
    .requires(.nginx, .openssl), .timeLimit(.minutes(3)))
struct ServerTrustTests {
    private func status(
        of nginx: Nginx, _ evaluators: [String: any ServerTrustEvaluating],
        mustBeEvaluated: Bool = true, trustsAuthority: Bool = true
    ) async throws -> Int {
        let transport = try nginx.evaluatingTransport(
            evaluators, mustBeEvaluated: mustBeEvaluated, trustsAuthority: trustsAuthority)
        return try await transport.send(TransportRequest(URLRequest(url: nginx.url))).head
            .statusCode
    }

    private func expectDistrust(
        _ codes: URLError.Code..., body: () async throws -> Int
    ) async throws {
        let error = await #expect(throws: URLError.self) { _ = try await body() }
        #expect(codes.contains(try #require(error?.code)), "\(String(describing: error))")
    }

    @Test func `A server with a pinned certificate or key is trusted`() async throws {
        let nginx = try await Nginx(.valid)
        let own = try nginx.certificates()
        let keys = try ServerPublicKey.keys(pem: Data(contentsOf: nginx.certificate))
        for evaluator in [
            PinnedCertificatesTrustEvaluator(certificates: own),
            PublicKeysTrustEvaluator(keys: keys), DefaultTrustEvaluator(),
            CompositeTrustEvaluator(evaluators: [
                DefaultTrustEvaluator(), PublicKeysTrustEvaluator(keys: keys),
            ]),
        ] as [any ServerTrustEvaluating] {
            #expect(try await status(of: nginx, ["127.0.0.1": evaluator]) == 200)
        }
    }

    @Test func `A server that matches no pin gets no request`() async throws {
        let nginx = try await Nginx(.valid)
        let other = try await Nginx(.valid)
        let foreign = try other.certificates()
        for evaluator in [
            PinnedCertificatesTrustEvaluator(certificates: foreign),
            PublicKeysTrustEvaluator(keys: foreign.compactMap(\.publicKey)),
            CompositeTrustEvaluator(evaluators: [
                DefaultTrustEvaluator(), PinnedCertificatesTrustEvaluator(certificates: []),
            ]),
        ] as [any ServerTrustEvaluating] {
            try await expectDistrust(.serverCertificateUntrusted) {
                try await status(of: nginx, ["127.0.0.1": evaluator])
            }
        }
        #expect(try nginx.requestCount == 0)
    }

    @Test func `A pin does not replace default validation unless configured to`()
        async throws
    {
        let nginx = try await Nginx(.selfSigned)
        let own = try nginx.certificates()
        try await expectDistrust(.serverCertificateHasUnknownRoot) {
            try await status(
                of: nginx, ["127.0.0.1": PinnedCertificatesTrustEvaluator(certificates: own)],
                trustsAuthority: false)
        }
        for evaluator in [
            PinnedCertificatesTrustEvaluator(
                certificates: own, acceptSelfSignedCertificates: true),
            PinnedCertificatesTrustEvaluator(certificates: own, performDefaultValidation: false),
            DisabledTrustEvaluator(),
        ] as [any ServerTrustEvaluating] {
            #expect(
                try await status(of: nginx, ["127.0.0.1": evaluator], trustsAuthority: false) == 200
            )
        }
    }

    @Test func `The evaluator decides whether the certificate must match the host`()
        async throws
    {
        let nginx = try await Nginx(.otherHost)
        try await expectDistrust(.serverCertificateUntrusted) {
            try await status(of: nginx, ["127.0.0.1": DefaultTrustEvaluator()])
        }
        let lenient = DefaultTrustEvaluator(validateHost: false)
        #expect(try await status(of: nginx, ["127.0.0.1": lenient]) == 200)
    }

    @Test func `A host without an evaluator is refused or validated by default, as configured`()
        async throws
    {
        let nginx = try await Nginx(.valid)
        try await expectDistrust(.serverCertificateUntrusted) {
            try await status(of: nginx, ["example.com": DisabledTrustEvaluator()])
        }
        #expect(try await status(of: nginx, [:], mustBeEvaluated: false) == 200)
        try await expectDistrust(.serverCertificateHasUnknownRoot) {
            try await status(of: nginx, [:], mustBeEvaluated: false, trustsAuthority: false)
        }
    }

    @Test func `Only a server with a good stapled OCSP response passes the revocation check`()
        async throws
    {
        let nginx = try await Nginx(.valid)
        try await expectDistrust(.secureConnectionFailed) {
            try await status(of: nginx, ["127.0.0.1": RevocationTrustEvaluator()])
        }
        let good = try await Nginx(Nginx.Site(staple: .good))
        #expect(try await status(of: good, ["127.0.0.1": RevocationTrustEvaluator()]) == 200)
        let revoked = try await Nginx(Nginx.Site(staple: .revoked))
        try await expectDistrust(.secureConnectionFailed) {
            try await status(of: revoked, ["127.0.0.1": RevocationTrustEvaluator()])
        }
    }
}
