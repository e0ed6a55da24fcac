import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
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
    func `a 401 without a credential is a response with its body`(challenge: String) async throws {
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

    @Test(arguments: ["Basic realm=\"r\"", "Digest realm=\"r\", nonce=\"n\"", "Bearer"])
    func `a 401 without a credential is a stream that ends without an error`(challenge: String)
        async throws
    {
        let server = try MockServer { _ in
            .text("Who are you?", status: 401).adding("WWW-Authenticate", challenge)
        }
        defer { server.stop() }
        let response = try await FoundationTransport().send(
            TransportRequest(URLRequest(url: server.url), destination: .stream))
        #expect(response.head.statusCode == 401)
        guard case .stream(let stream) = response.body else { throw URLError(.unknown) }
        #expect(try await stream.collect(upTo: 100) == Data("Who are you?".utf8))
    }

    @Test func `the body of an answered challenge is not part of the response`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let file = folder.file()
        for destination in [ResponseDestination.memory(), .stream, .file(file)] {
            let response = try await FoundationTransport().send(
                TransportRequest(
                    URLRequest(url: server.url.appendingPathComponent("basic-auth/u/p")),
                    destination: destination,
                    credential: URLCredential(user: "u", password: "p", persistence: .none)))
            #expect(response.head.statusCode == 200)
            let body =
                switch response.body {
                case .data(let data): data
                case .file(let url): try Data(contentsOf: url)
                case .stream(let stream): try await stream.collect(upTo: 1000)
                }
            #expect(String(decoding: body, as: UTF8.self).contains("authenticated"))
        }
    }
}
