import Foundation
import MoyaCore
import MoyaTesting
import MoyaTransportFoundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct AuthenticationTests {
    @Test(arguments: [
        "Basic realm=\"r\"", "Digest realm=\"r\", nonce=\"n\", qop=\"auth\"", "Bearer", "Negotiate",
        "NTLM", "Unknown x=1", "Basic", ",", "",
    ])
    func `a challenge nobody answers is a response with its body`(challenge: String) async throws {
        let server = try MockServer { _ in
            .text("Who are you?", status: 401).adding("WWW-Authenticate", challenge)
        }
        defer { server.stop() }
        let response = try await FoundationTransport().send(
            TransportRequest(URLRequest(url: server.url)))
        #expect(response.head.statusCode == 401)
        guard case .data(Data("Who are you?".utf8)) = response.body else {
            Issue.record("The body is another: \(response.body)")
            return
        }
    }
}
