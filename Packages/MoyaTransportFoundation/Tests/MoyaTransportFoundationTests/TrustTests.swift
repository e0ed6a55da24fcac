#if os(Linux)
    import Foundation
    import FoundationNetworking
    import MoyaCore
    import MoyaTesting
    import Testing

    @testable import MoyaTransportFoundation

    /// What URLSession here cannot be told about TLS, and its libcurl can.
    @Suite(.enabled(if: TLSServer.isPossible, "openssl is installed by scripts/bootstrap --tests"))
    struct TrustTests {
        typealias Configuration = FoundationTransport.Configuration

        private func transport(
            _ change: (inout Configuration) -> Void
        ) throws -> FoundationTransport {
            var configuration = Configuration()
            change(&configuration)
            return try FoundationTransport(configuration: configuration)
        }

        private func send(_ url: URL, over transport: FoundationTransport) async throws -> Int {
            let request = TransportRequest(URLRequest(url: url))
            return try await transport.send(request).head.statusCode
        }

        private func expectError(
            _ code: URLError.Code, from url: URL, over transport: FoundationTransport
        ) async {
            let error = await #expect(throws: URLError.self) {
                try await send(url, over: transport)
            }
            #expect(error?.code == code, "\(String(describing: error))")
        }

        // MARK: Certificates

        @Test func `certificates of one's own are trusted, from a file and from memory`()
            async throws
        {
            let server = try await TLSServer(.signedByUnknownAuthority)
            let data = try Data(contentsOf: server.authority)
            for trust in [Configuration.Trust.file(server.authority), .data(data)] {
                let transport = try transport { $0.trust = trust }
                for _ in 0..<3 { #expect(try await send(server.url, over: transport) == 200) }
            }
        }

        @Test func `one of several is enough, whatever else the file has`() async throws {
            let server = try await TLSServer(.signedByUnknownAuthority)
            let other = try await TLSServer(.signedByUnknownAuthority)
            var pem = Data("The authorities of the house.\n".utf8)
            for url in [other.authority, server.authority] { pem += try Data(contentsOf: url) }
            let transport = try transport { $0.trust = .data(pem) }
            #expect(try await send(server.url, over: transport) == 200)
            #expect(try await send(other.url, over: transport) == 200)
        }

        @Test func `a server of another authority is refused`() async throws {
            let server = try await TLSServer(.signedByUnknownAuthority)
            let other = try await TLSServer(.signedByUnknownAuthority)
            let transport = try transport { $0.trust = .file(other.authority) }
            await expectError(.serverCertificateHasUnknownRoot, from: server.url, over: transport)
            // Whom one transport trusts is no matter of another's.
            #expect(try await send(other.url, over: transport) == 200)
            await expectError(
                .serverCertificateHasUnknownRoot, from: other.url, over: FoundationTransport())
        }

        @Test func `a certificate that signs itself is trusted where it is the authority's`()
            async throws
        {
            let server = try await TLSServer(.selfSigned)
            let certificate = server.authority.deletingLastPathComponent()
                .appendingPathComponent("server.pem")
            let transport = try transport { $0.trust = .file(certificate) }
            #expect(try await send(server.url, over: transport) == 200)
        }

        @Test func `the host has to be the certificate's all the same`() async throws {
            let server = try await TLSServer(.signedByUnknownAuthority)
            let transport = try transport { $0.trust = .file(server.authority) }
            let port = try #require(server.url.port)
            let url = try #require(URL(string: "https://localhost:\(port)/"))
            await expectError(.serverCertificateUntrusted, from: url, over: transport)
        }

        @Test func `requests without TLS go as they did`() async throws {
            let server = try MockServer { _ in .text("hello") }
            defer { server.stop() }
            let authority = ServerCertificate(der: Data("any".utf8)).pem
            let transport = try transport {
                $0.trust = .data(Data(authority.utf8))
                $0.minimumTLSVersion = .tls13
            }
            #expect(try await send(server.url, over: transport) == 200)
        }

        @Test func `what is no certificate is an error of the configuration`() throws {
            let missing = URL(fileURLWithPath: "/nowhere/ca.pem")
            for (trust, message) in [
                (
                    Configuration.Trust.file(missing),
                    "The certificate file /nowhere/ca.pem cannot be read."
                ),
                (.data(Data("none".utf8)), "The data holds no certificate in PEM form."),
            ] {
                let error = #expect(throws: FoundationTransport.ConfigurationError.self) {
                    try transport { $0.trust = trust }
                }
                #expect(error?.description == message)
            }
        }

        @Test func `a certificate that libcurl cannot read trusts nobody`() async throws {
            let server = try await TLSServer(.signedByUnknownAuthority)
            let transport = try transport {
                $0.trust = .data(Data(ServerCertificate(der: Data("none".utf8)).pem.utf8))
            }
            let error = await #expect(throws: URLError.self) {
                try await send(server.url, over: transport)
            }
            #expect(error?.code != .timedOut)
        }

        // MARK: Versions

        @Test(arguments: [
            (Configuration.TLSVersion.tls12, "-tls1_2", true), (.tls12, "-tls1_3", true),
            (.tls13, "-tls1_2", false), (.tls13, "-tls1_3", true),
        ])
        func `nothing older than the oldest version is spoken`(
            minimum: Configuration.TLSVersion, option: String, isSpoken: Bool
        ) async throws {
            let server = try await TLSServer(.signedByUnknownAuthority, options: [option])
            let transport = try transport {
                $0.trust = .file(server.authority)
                $0.minimumTLSVersion = minimum
            }
            if isSpoken {
                #expect(try await send(server.url, over: transport) == 200)
            } else {
                await expectError(.secureConnectionFailed, from: server.url, over: transport)
            }
        }

        @Test func `with an oldest version alone, the system's certificates count`() async throws {
            let server = try await TLSServer(.signedByUnknownAuthority)
            let transport = try transport { $0.minimumTLSVersion = .tls12 }
            await expectError(.serverCertificateHasUnknownRoot, from: server.url, over: transport)
        }

        // MARK: Where it cannot be had

        @Test func `without a guard, both are errors that say what can`() {
            for (change, message) in [
                (
                    { $0.trust = .file(URL(fileURLWithPath: "/ca.pem")) },
                    "trust certificates of your own. Use CurlTransport, or add them to the system's."
                ),
                (
                    { $0.trust = .data(Data()) },
                    "trust certificates of your own. Use CurlTransport, or add them to the system's."
                ),
                ({ $0.minimumTLSVersion = .tls12 }, "bound the TLS version. Use CurlTransport."),
            ] as [((inout Configuration) -> Void, String)] {
                var configuration = Configuration()
                change(&configuration)
                let error = #expect(throws: FoundationTransport.ConfigurationError.self) {
                    try TLSSettings(configuration, possible: false)
                }
                #expect(error?.description == "URLSession on this platform cannot " + message)
            }
        }

        @Test(arguments: [
            // Settings that are lost on their way, and more than libcurl takes.
            nil, TLSSettings(authorities: Data(count: 9_000_000)),
        ])
        func `nothing is sent where settings do not count`(settings: TLSSettings?) async throws {
            let server = try MockServer { _ in .text("hello") }
            defer { server.stop() }
            var platform = SessionPlatform()
            platform.tls = TLSSettings(authorities: nil)
            let session = platform.makeSessionConfiguration()
            platform.adapt(session)
            platform.tls = settings
            let transport = FoundationTransport(session, .init(), platform)
            await expectError(.secureConnectionFailed, from: server.url, over: transport)
            #expect(server.requests.isEmpty)
        }
    }
#endif
