import Foundation
import MoyaCore
import MoyaInternals
@testable import MoyaLayers
import MoyaMockServer
import MoyaTestSupport
import MoyaTesting
import MoyaTransportCurl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Token endpoints that are overloaded or cannot be reached (RFC 9110, section 15.6.4; RFC 6585,
/// section 4).
@Suite(.timeLimit(.minutes(3))) struct RefreshRetryTests {
    private let clock = TestClock(movesByItself: true)
    private let old = AccessToken("old", refreshToken: "r1")
    private let request = TransportRequest.test(target: Thing(authorizationType: .bearer))

    /// Returns a server that accepts the token `new`.
    private var api: StubTransport {
        StubTransport { request in
            let isWelcome = request.value(for: "Authorization") == "Bearer new"
            return try .test(request, isWelcome ? 200 : 401)
        }
    }

    /// Returns a token endpoint that sends these responses, and then the token `new`.
    private func endpoint(_ answers: MockResponse...) throws -> MockServer {
        let left = Locked(answers)
        return try MockServer { _ in
            left.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                ?? MockResponse.text(#"{"access_token":"new"}"#)
        }
    }

    private func tokens(
        from server: MockServer, token: AccessToken? = nil, clock: TestClock? = nil
    ) -> TokenRefresher {
        let clock = clock ?? self.clock
        let oauth = OAuth2Client(
            tokenEndpoint: server.url, clientID: "app", transport: CurlTransport().retrying(),
            clock: clock)
        return TokenRefresher(token: token ?? old, clock: clock) { try await oauth.refresh($0) }
    }

    @Test(arguments: [429, 503])
    func `twenty requests wait for a token endpoint that is overloaded twice`(status: Int)
        async throws
    {
        let busy = MockResponse.text("busy", status: status)
        let server = try endpoint(busy, busy)
        defer { server.stop() }
        let transport = api.authorizing(with: tokens(from: server)).retrying(clock: clock)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 {
                group.addTask { try await transport.send(request).head.statusCode }
            }
            for try await status in group { #expect(status == 200) }
        }
        #expect(server.requests.count == 3)
    }

    @Test func `a refresh is repeated after the Retry-After of the token endpoint`() async throws {
        let server = try endpoint(
            .text("busy", status: 503).adding("Retry-After", "17"))
        defer { server.stop() }
        let response = try await api.authorizing(with: tokens(from: server)).send(request)
        #expect(response.head.statusCode == 200)
        #expect(clock.sleeps == [17])
    }

    @Test func `a Retry-After of more than a minute ends the refresh`() async throws {
        let server = try endpoint(.text("busy", status: 503).adding("Retry-After", "61"))
        defer { server.stop() }
        let error = await thrown {
            try await api.authorizing(with: tokens(from: server)).send(request)
        }
        #expect(((error as? TokenRefreshError)?.cause as? OAuth2Error)?.statusCode == 503)
        #expect(server.requests.count == 1)
        #expect(clock.sleeps.isEmpty)
    }

    // The server may have replaced the refresh token (RFC 9700, section 4.14.2), or the answer is
    // final (RFC 6749, section 5.2).
    @Test(arguments: [
        MockResponse.text(#"{"error":"invalid_grant"}"#, status: 400),
        .text(#"{"error":"invalid_client"}"#, status: 401), .text("", status: 408),
        .text("", status: 500), .text("", status: 502), .text("", status: 504),
        .silence(then: .reset),
    ])
    func `a refresh that may have been processed, or is refused for good, is sent once`(
        answer: MockResponse
    ) async throws {
        let server = try endpoint(answer)
        defer { server.stop() }
        let error = await thrown {
            try await api.authorizing(with: tokens(from: server)).retrying(clock: clock)
                .send(request)
        }
        #expect((error as? TokenRefreshError)?.reason == .failed)
        #expect(server.requests.count == 1)
    }

    @Test(
        arguments: [
            (.cannotConnectToHost, 3), (.cannotFindHost, 3), (.networkConnectionLost, 1),
            (.timedOut, 1), (.cancelled, 1), (.serverCertificateUntrusted, 1),
        ] as [(URLError.Code, Int)])
    func `a refresh is repeated only after failures before the request was sent`(
        code: URLError.Code, count: Int
    ) async throws {
        let refreshes = Recorder<Void>()
        let tokens = TokenRefresher(clock: clock) { _ in
            refreshes.record(())
            throw URLError(code)
        }
        let error = await thrown { try await tokens.validToken() } as? TokenRefreshError
        #expect((error?.cause as? URLError)?.code == code)
        #expect(refreshes.count == count)
        #expect(error?.localizedDescription.contains("in 3 attempts") == (count == 3))
    }

    @Test(arguments: [429, 500, 503])
    func `a refresh through a provider is repeated after 429 and 503`(status: Int) async throws {
        let refreshes = Recorder<Void>()
        let tokens = TokenRefresher(clock: clock) { _ in
            refreshes.record(())
            let response = HTTPURLResponse(
                url: url("https://auth.test/"), statusCode: status, httpVersion: nil,
                headerFields: ["Retry-After": "5"])
            throw MoyaError.statusCode(
                Response(statusCode: status, data: Data(), response: response))
        }
        await #expect(throws: TokenRefreshError.self) { try await tokens.validToken() }
        #expect(refreshes.count == (status == 500 ? 1 : 3))
        #expect(clock.sleeps == (status == 500 ? [] : [5, 5]))
    }

    @Test func `the error of a refresh has the attempts, and the endpoint's status and text`()
        async throws
    {
        let page = MockResponse.text("<html>down for\nmaintenance</html>", status: 503)
        let server = try endpoint(page, page, page)
        defer { server.stop() }
        let error = await thrown {
            try await api.authorizing(with: tokens(from: server)).send(request)
        }
        #expect(
            error?.localizedDescription
                == "The access token could not be refreshed in 3 attempts: The response of the "
                + "authorization server has the status 503, and contains neither a token nor an "
                + "error of RFC 6749. The response begins with: <html>down for maintenance</html>")
    }

    @Test func `a token that is still valid is sent at once while the endpoint is overloaded`()
        async throws
    {
        let server = try endpoint(.text("busy", status: 503))
        defer { server.stop() }
        let token = AccessToken("old", expiration: clock.now + 3600, refreshToken: "r1")
        let tokens = tokens(from: server, token: token)
        clock.advance(by: 3550)
        #expect(try await tokens.validToken().value == "old")
        #expect(server.requests.count == 1)
        #expect(clock.sleeps.isEmpty)
    }

    @Test func `a refused token is refreshed repeatedly although it has not expired`() async throws
    {
        let server = try endpoint(.text("busy", status: 503))
        defer { server.stop() }
        let token = AccessToken("old", expiration: clock.now + 3600, refreshToken: "r1")
        let transport = api.authorizing(with: tokens(from: server, token: token))
        #expect(try await transport.send(request).head.statusCode == 200)
        #expect(server.requests.count == 2)
    }

    @Test func `a deadline around the authorization ends the wait for the token endpoint`()
        async throws
    {
        let server = try endpoint(.text("busy", status: 503).adding("Retry-After", "30"))
        defer { server.stop() }
        let clock = TestClock()
        let transport = api.authorizing(with: tokens(from: server, clock: clock))
            .timingOut(after: 5, clock: clock)
        let sending = Task { await urlErrorCode { try await transport.send(request) } }
        // The deadline in the layer that sets it and in the wait for the token, and the pause.
        try await until { clock.sleeperCount == 3 }
        clock.advance(by: 5)
        #expect(await sending.value == .timedOut)
        // The refresh ends without a second request, because no request waits for it.
        clock.advance(by: 30)
        try await until { clock.sleeperCount == 0 }
        #expect(server.requests.count == 1)
    }

    @Test func `signing out during the pause ends the refresh`() async throws {
        let server = try endpoint(.text("busy", status: 503))
        defer { server.stop() }
        let clock = TestClock()
        let tokens = tokens(from: server, clock: clock)
        let transport = api.authorizing(with: tokens)
        async let error = thrown { try await transport.send(request) }
        try await until { clock.sleeperCount == 1 }
        tokens.replaceToken(with: nil)
        clock.advance(by: 60)
        #expect((await error as? TokenRefreshError)?.reason == .signedOut)
        #expect(server.requests.count == 1)
    }

    @Test func `a refresh that no request needs is not repeated`() async throws {
        let count = Recorder<Void>()
        let result = await RefreshRetry(clock: clock).run(while: { false }) {
            count.record(())
            throw URLError(.cannotConnectToHost)
        }
        #expect(throws: TokenRefreshError.self) { try result.get() }
        #expect(count.count == 1)
    }

    @Test func `a shared task is abandoned when its last waiter is cancelled`() async throws {
        let gate = GatedTransport()
        let work = SharedTask { try await gate.send(.test()).text }
        #expect(!work.isAbandoned)
        work.start()
        let waiters = (0..<2).map { _ in Task { try await work.value() } }
        try await gate.waitForSends(1)
        #expect(!work.isAbandoned)
        for waiter in waiters { waiter.cancel() }
        try await until { work.isAbandoned }
        gate.answer()
    }

    @Test func `the retries of failing refreshes stay within the budget`() async throws {
        let refreshes = Recorder<Void>()
        let tokens = TokenRefresher(clock: clock) { _ in
            refreshes.record(())
            throw URLError(.cannotConnectToHost)
        }
        for _ in 0..<50 {
            await #expect(throws: TokenRefreshError.self) { try await tokens.validToken() }
        }
        // 50 refreshes, ten retries of the reserve, and a fifth of a retry for each refresh.
        #expect((60...70).contains(refreshes.count))
    }
}
