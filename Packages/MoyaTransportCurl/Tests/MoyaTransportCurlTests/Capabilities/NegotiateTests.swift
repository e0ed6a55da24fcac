import Foundation
import MoyaCore
import MoyaTransportCurl
import MoyaTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// RFC 4559, against Apache and a realm made for the occasion. In processes of their own: where Kerberos finds
/// its tickets is in the environment, which is everybody's.
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
            // Unasked, nobody tells who they are. Apache does not write them down in order.
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
        // The ticket says who it is.
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
