#if MockServer && canImport(Security)
    import MoyaCore
    import MoyaMockServer
    import MoyaTransportConformance
    import MoyaTransportFoundation
    import Testing

    /// Over TLS and HTTP/2. Runs where the trait `MockServer` is on, and where URLSession can be told to trust the
    /// server's authority.
    @Suite struct SecureConformanceTests {
        /// What URLSession cannot do. The README says the same.
        static let impossible: Set = [
            // A client certificate has to be a `URLCredential` with an identity.
            "a client certificate is sent to a server that requires one",
            // It does not show trailer fields.
            "HTTP/1.1 over TLS: trailers are separate from header fields",
            "HTTP/2 over TLS: trailers are separate from header fields",
        ]

        @Test(
            arguments: TransportConformance.secureCases.filter { !impossible.contains($0.name) })
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

        @Test func `the list of impossible secure cases names existing cases`() {
            #expect(Self.impossible.isSubset(of: TransportConformance.secureCases.map(\.name)))
        }
    }
#endif
