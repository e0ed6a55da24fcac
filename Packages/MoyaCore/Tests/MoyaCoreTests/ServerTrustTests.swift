import Foundation
import MoyaCore
import Testing

@Suite("Server trust", .timeLimit(.minutes(3)))
struct ServerTrustTests {
    private let elliptic = """
        -----BEGIN CERTIFICATE-----
        MIIBdjCCARugAwIBAgIUfjAoMIRiKPJX8uo8VhwZsflAQO0wCgYIKoZIzj0EAwIw
        DzENMAsGA1UEAwwEbW95YTAgFw0yNjExMjExMTAzMTZaGA8yMTI2MTAyODExMDMx
        NlowDzENMAsGA1UEAwwEbW95YTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABIuW
        DstlUw1euv2EiNjBzaZRIi/SBvjQn7FUAWhgvzFuF+gMgJMJRE8hva8uelX40u51
        01nDNe7gsPUIBCXj69+jUzBRMB0GA1UdDgQWBBRzAeypVbM+ZURavg2iESXYL8J3
        TjAfBgNVHSMEGDAWgBRzAeypVbM+ZURavg2iESXYL8J3TjAPBgNVHRMBAf8EBTAD
        AQH/MAoGCCqGSM49BAMCA0kAMEYCIQCySW7EowmnFedm7J2Prz0XB+AJHJrA6/Cm
        xOvq59EIogIhANOArwWHewi7ZIt8nNmnZfpp1H645f2ljgNF+LNUgOX+
        -----END CERTIFICATE-----
        """
    private let ellipticKey = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEi5YOy2VTDV66/YSI2MHNplEiL9IG
        +NCfsVQBaGC/MW4X6AyAkwlETyG9ry56VfjS7nXTWcM17uCw9QgEJePr3w==
        -----END PUBLIC KEY-----
        """
    private let rsa = """
        -----BEGIN CERTIFICATE-----
        MIIDCzCCAfOgAwIBAgIUPpDkb1IjY5QGAkYDjP0R0DDOrHEwDQYJKoZIhvcNAQEL
        BQAwFDESMBAGA1UEAwwJbW95YSB0ZXN0MCAXDTI2MTEyMTExMDMxNloYDzIxMjYx
        MDI4MTEwMzE2WjAUMRIwEAYDVQQDDAltb3lhIHRlc3QwggEiMA0GCSqGSIb3DQEB
        AQUAA4IBDwAwggEKAoIBAQCtQZ4bhyECfisJvglzRVfL/tmBPeOc1I4p4frves/a
        lPe5wUZMmkGVd4AanAAia25G/cyyA+fjeExp1BiEfst7+IFLrB76ZVLio3TgNTg/
        xXupf4KjLlKOBdKepTNejoCc19KJmyhiQwmlnimUxVOLnPgAyLX9FCFSlDoSGR55
        Na/H9cIaRAOzLSX5DufeZ5nmzJpIkMWRoTRiKcVW8rdzpKLz79kXqopmDWBbMphJ
        z1uUc0J9oePn1wFUkQ4gIQAz4IJARLdUo6QAyLoug80AI5pBrTm5dpgsbKu2nsr7
        pxOkP1EvGvS8AXStBsoL1akbyM9SyWA8HIFDNl4f7ojTAgMBAAGjUzBRMB0GA1Ud
        DgQWBBR+fl4mQ+UTEruNLQyXCkMwze9n6jAfBgNVHSMEGDAWgBR+fl4mQ+UTEruN
        LQyXCkMwze9n6jAPBgNVHRMBAf8EBTADAQH/MA0GCSqGSIb3DQEBCwUAA4IBAQAT
        z92YGo7cimmgOwTywzv40t2/Hh82S8pmbXFiUaZ43VvPT8Dn8AUW7aEHNINiCDrb
        a6cLPyHpX+Z4If+oqKiFw25Q7TCkIbXxTz55RxxgnzCB1a0kFnbR9igNkJAV7CqH
        d5qqPuFD6tPXgNa8sSWEz9rQttT5QGJ901RVr2h9Qv1nGEfnAzL0Ot7Miehcm7Gv
        4WvzV3CrAEM8LvatcHZM7ykci6u+23zfzQNpv8xh5w5YIOJzPmCeekNusILmH3TA
        /RWhogFPBKuLuxVOpo2EVE3DFqpqIEH7iWB/83fwjJncfpAUYeZix+Lp2iHx6L9r
        SAFyTKpPYXFtfbqnCzMD
        -----END CERTIFICATE-----
        """
    private let rsaKey = """
        -----BEGIN PUBLIC KEY-----
        MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEArUGeG4chAn4rCb4Jc0VX
        y/7ZgT3jnNSOKeH673rP2pT3ucFGTJpBlXeAGpwAImtuRv3MsgPn43hMadQYhH7L
        e/iBS6we+mVS4qN04DU4P8V7qX+Coy5SjgXSnqUzXo6AnNfSiZsoYkMJpZ4plMVT
        i5z4AMi1/RQhUpQ6EhkeeTWvx/XCGkQDsy0l+Q7n3meZ5syaSJDFkaE0YinFVvK3
        c6Si8+/ZF6qKZg1gWzKYSc9blHNCfaHj59cBVJEOICEAM+CCQES3VKOkAMi6LoPN
        ACOaQa05uXaYLGyrtp7K+6cTpD9RLxr0vAF0rQbKC9WpG8jPUslgPByBQzZeH+6I
        0wIDAQAB
        -----END PUBLIC KEY-----
        """

    private func certificate(_ pem: String) throws -> ServerCertificate {
        try #require(ServerCertificate.certificates(pem: Data(pem.utf8)).first)
    }

    private func key(_ pem: String) throws -> ServerPublicKey {
        try #require(ServerPublicKey.keys(pem: Data(pem.utf8)).first)
    }

    @Test func `The public key of a certificate equals the key that OpenSSL extracts`() throws {
        #expect(try certificate(elliptic).publicKey == key(ellipticKey))
        #expect(try certificate(rsa).publicKey == key(rsaKey))
        #expect(try key(elliptic) == key(ellipticKey))
        // An uncompressed point of a 256-bit curve.
        #expect(try key(ellipticKey).bits.count == 65 && key(ellipticKey).bits.first == 4)
    }

    @Test func `Certificates of a PEM file are read in order and written back unchanged`() throws {
        let both = try ServerCertificate.certificates(pem: Data((rsa + "\n" + elliptic).utf8))
        #expect(try both == [certificate(rsa), certificate(elliptic)])
        #expect(both[1].pem == elliptic + "\n")
    }

    @Test(arguments: [
        "", "no certificate", "-----BEGIN CERTIFICATE-----\nAAAA",
        "-----BEGIN CERTIFICATE-----\n\n-----END CERTIFICATE-----",
    ])
    func `Text without a valid PEM certificate is refused`(text: String) {
        #expect(throws: ServerTrustError.self) {
            try ServerCertificate.certificates(pem: Data(text.utf8))
        }
        #expect(throws: ServerTrustError.self) {
            try ServerPublicKey.keys(pem: Data(text.utf8))
        }
    }

    @Test func `Reading the public key of a truncated or corrupted certificate does not crash`()
        throws
    {
        let der = try certificate(elliptic).der
        for length in 0..<der.count {
            _ = ServerCertificate(der: der.prefix(length)).publicKey
            var broken = der
            broken[length] = 0xFF
            _ = ServerCertificate(der: broken).publicKey
        }
        #expect(ServerCertificate(der: der.prefix(100)).publicKey == nil)
    }

    @Test func `Without chain validation only the server's own certificate can match a pin`() throws
    {
        let (leaf, root) = (try certificate(elliptic), try certificate(rsa))
        for evaluator in [
            PinnedCertificatesTrustEvaluator(
                certificates: [root], performDefaultValidation: false),
            PublicKeysTrustEvaluator(keys: [try key(rsaKey)], performDefaultValidation: false),
        ] as [any ServerTrustEvaluating] {
            try evaluator.evaluate([root, leaf], forHost: "a.test")
            #expect(throws: ServerTrustError.self) {
                try evaluator.evaluate([leaf, root], forHost: "a.test")
            }
        }
    }

    @Test func `Pinned certificates and keys may match anywhere in a validated chain`() throws {
        let (leaf, root) = (try certificate(elliptic), try certificate(rsa))
        let other = ServerCertificate(der: Data([1, 2, 3]))
        let certificates = PinnedCertificatesTrustEvaluator(certificates: [root])
        let keys = PublicKeysTrustEvaluator(keys: [try key(rsaKey)])
        for evaluator in [certificates, keys] as [any ServerTrustEvaluating] {
            try evaluator.evaluate([leaf, root], forHost: "a.test")
            for chain in [[], [leaf], [other]] {
                #expect(throws: ServerTrustError.self) {
                    try evaluator.evaluate(chain, forHost: "a.test")
                }
            }
        }
        let none = PinnedCertificatesTrustEvaluator(certificates: [])
        #expect(throws: ServerTrustError.self) { try none.evaluate([leaf], forHost: "a.test") }
    }

    @Test func `A composite evaluator applies the validation and pins of all its evaluators`()
        throws
    {
        let (leaf, root) = (try certificate(elliptic), try certificate(rsa))
        let pins = PinnedCertificatesTrustEvaluator(
            certificates: [leaf], acceptSelfSignedCertificates: true, validateHost: false)
        let composite = CompositeTrustEvaluator(evaluators: [
            pins, RevocationTrustEvaluator(performDefaultValidation: false),
            PinnedCertificatesTrustEvaluator(
                certificates: [leaf, root], acceptSelfSignedCertificates: true),
        ])
        #expect(
            composite.validation
                == TrustValidation(anchors: [leaf], checksRevocation: true))
        try composite.evaluate([leaf], forHost: "a.test")
        #expect(throws: ServerTrustError.self) {
            try composite.evaluate([root], forHost: "a.test")
        }
        // The default evaluator requires the transport's roots, so the pinned certificate is not a
        // root.
        let strict = CompositeTrustEvaluator(evaluators: [pins, DefaultTrustEvaluator()])
        #expect(strict.validation == TrustValidation())
        #expect(CompositeTrustEvaluator(evaluators: []).validation == TrustValidation())
        let disabled = CompositeTrustEvaluator(evaluators: [DisabledTrustEvaluator()])
        #expect(!disabled.validation.validatesChain && !disabled.validation.validatesHost)
    }

    @Test(arguments: [
        "a.example.com", "A.Example.COM", "a.example.com.", "b.example.org.", "bücher.test",
        "xn--bcher-kva.test", "127.0.0.1", "2130706433", "0x7F.1", "127.1", "::1", "0:0::0:1",
    ])
    func `A trust manager finds the evaluator of a host in any spelling of the host`(host: String)
        throws
    {
        let manager = ServerTrustManager(
            allHostsMustBeEvaluated: false,
            evaluators: [
                "a.example.com.": DefaultTrustEvaluator(), "*.Example.org": DefaultTrustEvaluator(),
                "Bücher.test": DefaultTrustEvaluator(), "127.0.0.1": DefaultTrustEvaluator(),
                "[::1]": DefaultTrustEvaluator(),
            ])
        #expect(try manager.serverTrustEvaluator(forHost: host) is DefaultTrustEvaluator)
    }

    @Test func `A trust manager prefers the evaluator of a host to a wildcard evaluator`() throws {
        let manager = ServerTrustManager(evaluators: [
            "WWW.example.com": DefaultTrustEvaluator(), "*.example.com": DisabledTrustEvaluator(),
        ])
        #expect(
            try manager.serverTrustEvaluator(forHost: "www.Example.com") is DefaultTrustEvaluator)
        #expect(
            try manager.serverTrustEvaluator(forHost: "a.example.com") is DisabledTrustEvaluator)
        for host in ["example.com", "a.b.example.com", "example.org", ""] {
            #expect(throws: ServerTrustError.self) {
                try manager.serverTrustEvaluator(forHost: host)
            }
        }
        let lenient = ServerTrustManager(allHostsMustBeEvaluated: false, evaluators: [:])
        #expect(try lenient.serverTrustEvaluator(forHost: "example.org") == nil)
    }
}
