import Foundation
import MoyaCore
import MoyaTransportCurl
import MoyaTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Negotiate (RFC 4559) with Apache and a generated Kerberos realm. In child processes, because the
/// location of the tickets is an environment variable.
@Suite(
    .requires(.gssapi, .kerberos, .apache("auth_gssapi")),
    .timeLimit(.minutes(3)))
struct NegotiateTests {
    @Test func `Negotiate answers a challenge with the user's ticket, with and without a body`()
        async throws
    {
        await #expect(processExitsWith: .success) {
            let realm = try await Kerberos()
            setenv("KRB5_CONFIG", realm.configuration, 1)
            let transport = try NegotiateTests.transport()
            for body in [nil, "a body"] {
                var request = NegotiateTests.request(realm, "private/", body: body)
                #expect(try await transport.send(request).head.statusCode == 401)
                request.credential = NegotiateTests.credential
                let response = try await transport.send(request)
                #expect(response.head.statusCode == 200)
                #expect(try response.text == "private")
                #expect(response.head.value(for: "X-User") == "ash@MOYA.TEST")
            }
            // Tickets are not sent without a challenge. The order of Apache's log varies.
            let negotiating = try await realm.authorizations(6).count { $0 == "Negotiate" }
            #expect(negotiating == 2)
        }
    }

    @Test func `A connection that Negotiate authenticated is not reused without the credential`()
        async throws
    {
        await #expect(processExitsWith: .success) {
            let realm = try await Kerberos()
            setenv("KRB5_CONFIG", realm.configuration, 1)
            let transport = try NegotiateTests.transport()
            var request = NegotiateTests.request(realm, "bound/")
            request.credential = NegotiateTests.credential
            #expect(try await transport.send(request).head.statusCode == 200)
            request.credential = nil
            #expect(try await transport.send(request).head.statusCode == 401)
        }
    }

    private static var credential: URLCredential {
        // The ticket identifies the user.
        URLCredential(user: "", password: "", persistence: .none)
    }

    private static func transport() throws -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.authentication = .negotiate
        configuration.threads = 1
        return try CurlTransport(configuration: configuration)
    }

    private static func request(
        _ realm: Kerberos, _ path: String, body: String? = nil
    ) -> TransportRequest {
        var request = URLRequest(url: realm.url.appendingPathComponent(path))
        if let body {
            request.httpMethod = "POST"
            request.httpBody = Data(body.utf8)
        }
        return TransportRequest(request)
    }
}
