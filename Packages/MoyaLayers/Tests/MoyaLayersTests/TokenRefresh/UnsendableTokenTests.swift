import Foundation
import MoyaCore
import MoyaInternals
import MoyaTestSupport
import MoyaMockServer
import MoyaTesting
import MoyaTransportCurl
import Testing

@testable import MoyaLayers

/// Tokens that a header field cannot hold, and tokens that the server always refuses.
@Suite struct UnsendableTokenTests {
    private let clock = TestClock()
    private let authorized = TransportRequest.test(target: Thing(authorizationType: .bearer))

    @Test(arguments: ["a\r\nInjected: 1", "a\u{0}", "ä"])
    func `a token invalid in a header field is refreshed before a request is sent`(
        token: String
    ) async throws {
        let stub = StubTransport { try .test($0) }
        let lasts = Recorder<String?>()
        let tokens = TokenRefresher(
            token: AccessToken(token, expiration: clock.now + 3600), clock: clock
        ) { last in
            lasts.record(last?.value)
            return AccessToken("new")
        }
        _ = try await stub.authorizing(with: tokens).send(authorized)
        #expect(lasts.items == [token])
        #expect(stub.requests.map { $0.value(for: "Authorization") } == ["Bearer new"])
    }

    @Test(arguments: [
        AccessToken("a\r\nInjected: 1"), AccessToken("a\u{0}"), AccessToken("ä"),
        AccessToken("a", scheme: "Bear\u{1}er"),
    ])
    func `a refresh that returns an invalid token fails, and the next request retries it`(
        bad: AccessToken
    ) async throws {
        let stub = StubTransport { try .test($0) }
        let answers = Locked([AccessToken("new"), bad])
        let tokens = TokenRefresher(clock: clock) { _ in
            answers.withLock { $0.popLast() } ?? bad
        }
        let transport = stub.authorizing(with: tokens)
        let error = await thrown { try await transport.send(authorized) }
        #expect((error as? TokenRefreshError)?.reason == .unusable)
        #expect(stub.requests.isEmpty)
        _ = try await transport.send(authorized)
        #expect(stub.requests.map { $0.value(for: "Authorization") } == ["Bearer new"])
    }

    @Test func `a server that refuses every token gets two requests per call`()
        async throws
    {
        let server = try MockServer { _ in MockResponse(status: 401) }
        defer { server.stop() }
        let refreshes = Recorder<Void>()
        let tokens = TokenRefresher(clock: clock) { _ in
            refreshes.record(())
            return AccessToken("new")
        }
        let transport = CurlTransport().authorizing(with: tokens).retrying(
            .exponential(maximumRetries: 3), clock: TestClock(movesByItself: true))
        let target = Thing(authorizationType: .bearer)
        let response = try await transport.send(
            .test("GET", server.url.absoluteString, target: target))
        #expect(response.head.statusCode == 401)
        #expect(server.requests.count == 2)
        #expect(refreshes.count == 2)
    }

    @Test(arguments: [
        (TokenRefreshError.Reason.failed, "no reason was given"), (.tooOften, "server's clock"),
        (.signedOut, "signed out"), (.unusable, "invalid in a header field"),
    ])
    func `the message of each token refresh error names the cause to check`(
        reason: TokenRefreshError.Reason, words: String
    ) {
        #expect(TokenRefreshError(reason).localizedDescription.contains(words))
    }
}
