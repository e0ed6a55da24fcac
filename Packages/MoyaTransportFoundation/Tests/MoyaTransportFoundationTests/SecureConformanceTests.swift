#if MockServer && canImport(Security)
    import MoyaCore
    import MoyaMockServer
    import MoyaTransportConformance
    import MoyaTransportFoundation
    import Testing

    /// Conformance cases over TLS and HTTP/2. Runs with the trait `MockServer`, on platforms where
    /// URLSession can trust the server's authority.
    @Suite struct SecureConformanceTests {
        /// Conformance cases that URLSession cannot pass. The README lists them too.
        static let exceptions = [
            "a client certificate is sent to a server that requires one":
                "A client certificate has to be a `URLCredential` with an identity.",
            "HTTP/1.1 over TLS: trailers are separate from header fields":
                "It does not show trailer fields.",
            "HTTP/2 over TLS: trailers are separate from header fields":
                "It does not show trailer fields.",
        ]

        @Test(arguments: TransportConformance.secureCases.excluding(exceptions))
        func `FoundationTransport passes the secure conformance case`(
            behaviour: TransportConformance.SecureCase
        )
            async throws
        {
            try await behaviour.run { requirements in
                var configuration = FoundationTransport.Configuration()
                if let authority = requirements.authority {
                    configuration.trust = .data(authority)
                }
                return try FoundationTransport(configuration: configuration)
            }
        }
    }
#endif
