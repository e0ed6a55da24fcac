#if MockServer
    import Foundation
    import MoyaCore
    import MoyaTransportCurl
    import Testing

    @testable import MoyaMockServer

    @Suite struct MockAuthorityTests {
        @Test(arguments: [
            (
                NIOMockServer.Configuration.Certificate.expired,
                [URLError.Code.serverCertificateHasBadDate]
            ),
            (.notYetValid, [.serverCertificateNotYetValid, .serverCertificateHasBadDate]),
            (.otherHost, [.serverCertificateUntrusted]),
            (.commonName, [.serverCertificateUntrusted]),
            (.unknownAuthority, [.serverCertificateHasUnknownRoot]),
            (.selfSigned, [.serverCertificateHasUnknownRoot]),
        ])
        func `a server can show untrusted certificates`(
            certificate: NIOMockServer.Configuration.Certificate, codes: [URLError.Code]
        ) async throws {
            let server = try NIOMockServer(.init(tls: .init(certificate)))
            defer { server.stop() }
            let client = try Flavor.http2OverTLS.client(of: server)
            let error = await #expect(throws: URLError.self) {
                try await client.send(server.request())
            }
            #expect(codes.contains(try #require(error?.code)))
            #expect(server.requests.isEmpty)
        }

        @Test func `a server can require a client certificate`() async throws {
            let server = try NIOMockServer(.init(tls: .init(requiresClientCertificate: true)))
            defer { server.stop() }
            await #expect(throws: URLError.self) {
                try await Flavor.http1OverTLS.client(of: server).send(server.request())
            }
            let identity = try server.clientIdentity()
            let client = try Flavor.http1OverTLS.client(of: server, identity: identity)
            #expect(try await client.send(server.request("GET", "/get")).head.statusCode == 200)
            let stranger = try MockAuthority().clientIdentity()
            await #expect(throws: URLError.self) {
                try await Flavor.http1OverTLS.client(of: server, identity: stranger).send(
                    server.request())
            }
        }

        @Test func `a server can be limited to TLS 1.2`() async throws {
            var configuration = NIOMockServer.Configuration(tls: .init())
            configuration.tls?.maximumVersion = .tls12
            let server = try NIOMockServer(configuration)
            defer { server.stop() }
            var demanding = CurlTransport.Configuration()
            demanding.tls.trust = .data(server.authority.certificate)
            #expect(
                try await CurlTransport(configuration: demanding).send(
                    server.request("GET", "/get")
                )
                .head.statusCode == 200)
            demanding.tls.minimumVersion = .tls13
            let client = try CurlTransport(configuration: demanding)
            await #expect(throws: URLError.self) { try await client.send(server.request()) }
        }
    }
#endif
