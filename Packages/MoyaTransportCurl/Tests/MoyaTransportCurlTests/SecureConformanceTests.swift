#if MockServer
    import Foundation
    import MoyaCore
    import MoyaMockServer
    import MoyaTransportConformance
    import MoyaTestSupport
    import MoyaTransportCurl
    import Testing

    /// Conformance over TLS and HTTP/2. Runs where the trait `MockServer` is on.
    @Suite struct SecureConformanceTests {
        @Test(arguments: TransportConformance.secureCases)
        func `CurlTransport passes the secure conformance case`(
            behaviour: TransportConformance.SecureCase
        )
            async throws
        {
            let folder = try TemporaryFolder()
            try await behaviour.run { requirements in
                var configuration = CurlTransport.Configuration()
                configuration.httpVersion = requirements.allowsHTTP2 ? .automatic : .http1
                if let authority = requirements.authority {
                    configuration.tls.trust = .data(authority)
                }
                if let identity = requirements.identity {
                    let files = try identity.write(to: folder.url)
                    configuration.tls.identity = .pem(
                        certificate: files.certificate, key: files.key)
                }
                return try CurlTransport(configuration: configuration)
            }
        }
    }
#endif
