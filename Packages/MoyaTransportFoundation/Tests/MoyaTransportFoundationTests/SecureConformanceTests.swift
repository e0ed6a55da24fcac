#if MockServer
    import MoyaCore
    import MoyaTesting
    import MoyaTransportFoundation
    import Testing

    /// Over TLS. Runs where the trait `MockServer` is on.
    @Suite struct SecureConformanceTests {
        // URLSession trusts whom the system trusts.
        @Test(arguments: TransportConformance.secureCases.filter { !$0.needsAuthority })
        func `behaves as a transport has to`(behaviour: TransportConformance.SecureCase)
            async throws
        {
            try await behaviour.run { _ in FoundationTransport() }
        }
    }
#endif
