#if AsyncHTTPClient && MockServer
    import AsyncHTTPClient
    import MoyaCore
    import MoyaTransportConformance
    import MoyaTransportNIO
    import NIOSSL
    import Testing

    /// Conformance cases over TLS and HTTP/2. Runs with the trait `MockServer`.
    @Suite struct SecureConformanceTests {
        /// Conformance cases that async-http-client cannot pass. The README lists them too.
        static let exceptions = [
            "a certificate that has its host in the common name alone is refused":
                "SwiftNIO SSL compares the common name if there is no subjectAltName.",
            "HTTP/1.1 over TLS: trailers are separate from header fields":
                "It drops trailer fields, unless its trait UnstableHTTPAPIsSupport is on.",
            "HTTP/2 over TLS: trailers are separate from header fields":
                "It drops trailer fields, unless its trait UnstableHTTPAPIsSupport is on.",
        ]

        @Test(arguments: TransportConformance.secureCases.excluding(exceptions))
        func `HTTPClientTransport passes the secure conformance case`(
            behaviour: TransportConformance.SecureCase
        ) async throws {
            try await behaviour.run(foldingFields: false) { requirements in
                var configuration = HTTPClientTransport.defaultConfiguration
                configuration.httpVersion = requirements.allowsHTTP2 ? .automatic : .http1Only
                var tls = try #require(configuration.tlsConfiguration)
                if let authority = requirements.authority {
                    tls.trustRoots = .certificates(
                        try NIOSSLCertificate.fromPEMBytes(Array(authority)))
                }
                if let identity = requirements.identity {
                    tls.certificateChain = try NIOSSLCertificate.fromPEMBytes(
                        Array(identity.certificate)
                    ).map { .certificate($0) }
                    tls.privateKey = .privateKey(
                        try NIOSSLPrivateKey(bytes: Array(identity.key), format: .pem))
                }
                configuration.tlsConfiguration = tls
                return HTTPClientTransport(configuration: configuration)
            }
        }
    }
#endif
