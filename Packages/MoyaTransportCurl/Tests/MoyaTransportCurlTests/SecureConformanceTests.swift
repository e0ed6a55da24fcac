#if MockServer
    import Foundation
    import MoyaCore
    import MoyaTesting
    import MoyaTransportCurl
    import Testing

    /// Over TLS and HTTP/2. Runs where the trait `MockServer` is on.
    @Suite struct SecureConformanceTests {
        /// What libcurl before 8.0 cannot do.
        static let impossible: Set = [
            // It ends such a response as if it were whole, whatever its Content-Length says.
            "HTTP/2 over TLS: a body that is cut off by what makes no sense is no response"
        ]

        static let cases = TransportConformance.secureCases.filter {
            !impossible.contains($0.name)
        }

        @Test(arguments: cases)
        func `behaves as a transport has to`(behaviour: TransportConformance.SecureCase)
            async throws
        {
            let folder = FileManager.default.temporaryDirectory
                .appendingPathComponent("secure-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            try await behaviour.run { requirements in
                var configuration = CurlTransport.Configuration()
                configuration.httpVersion = requirements.allowsHTTP2 ? .automatic : .http1
                if let authority = requirements.authority {
                    configuration.tls.trust = .data(authority)
                }
                if let identity = requirements.identity {
                    let files = try identity.write(to: folder)
                    configuration.tls.identity = .pem(
                        certificate: files.certificate, key: files.key)
                }
                return try CurlTransport(configuration: configuration)
            }
        }

        @Test func `the list of what is impossible names behaviours that exist`() {
            #expect(
                Self.cases.count + Self.impossible.count == TransportConformance.secureCases.count)
        }
    }
#endif
