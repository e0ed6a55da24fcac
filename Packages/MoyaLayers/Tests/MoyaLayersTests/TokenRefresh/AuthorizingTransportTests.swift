import Foundation
import MoyaCore
@testable import MoyaLayers
import MoyaTestSupport
import MoyaTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server that accepts a single token.
private func server(accepting token: String) -> StubTransport {
    StubTransport { request in
        let isWelcome = request.value(for: "Authorization") == "Bearer \(token)"
        return try .test(request, isWelcome ? 200 : 401)
    }
}

@Suite(.timeLimit(.minutes(3))) struct AuthorizingTransportTests {
    private let clock = TestClock()
    private let authorized = TransportRequest.test(target: Thing(authorizationType: .bearer))

    @Test func `the first request fetches the token, and later requests use it`() async throws {
        let refreshes = Recorder<AccessToken?>()
        let tokens = TokenRefresher(clock: clock) { last in
            refreshes.record(last)
            return AccessToken("new")
        }
        let transport = server(accepting: "new").authorizing(with: tokens)
        for _ in 0..<3 { #expect(try await transport.send(authorized).head.statusCode == 200) }
        #expect(refreshes.items == [nil])
    }

    @Test func `a hundred concurrent 401 responses cause one token refresh`() async throws {
        let gate = GatedTransport()
        let refreshes = Recorder<String?>()
        let tokens = TokenRefresher(token: AccessToken("old"), clock: clock) { last in
            refreshes.record(last?.value)
            return AccessToken("new")
        }
        let transport = gate.authorizing(with: tokens)
        let statuses = Recorder<Int>()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    statuses.record(try await transport.send(authorized).head.statusCode)
                }
            }
            try await gate.waitForSends(100)
            gate.answer { try .test($0, 401) }
            try await gate.waitForSends(200)
            gate.answer { request in
                try .test(request, request.value(for: "Authorization") == "Bearer new" ? 200 : 401)
            }
            try await group.waitForAll()
        }
        #expect(statuses.items == Array(repeating: 200, count: 100))
        #expect(refreshes.items == ["old"])
    }

    @Test func `a late 401 for the old token is replayed without another refresh`() async throws {
        let gate = GatedTransport()
        let refreshes = Recorder<Void>()
        let tokens = TokenRefresher(token: AccessToken("old"), clock: clock) { _ in
            refreshes.record(())
            return AccessToken("new")
        }
        let transport = gate.authorizing(with: tokens)
        async let late = transport.send(authorized)
        try await gate.waitForSends(1)
        async let early = transport.send(authorized)
        try await gate.waitForSends(2)
        gate.answer(2) { try .test($0, 401) }
        try await gate.waitForSends(3)
        gate.answer(3)
        _ = try await early
        gate.answer(1) { try .test($0, 401) }
        try await gate.waitForSends(4)
        gate.answer(4) { try .test($0, 200, body: $0.value(for: "Authorization") ?? "") }
        #expect(try await late.text == "Bearer new")
        #expect(refreshes.count == 1)
    }

    @Test func `a token about to expire is refreshed before it is sent`() async throws {
        let expiration = clock.now + 3600
        let tokens = TokenRefresher(
            token: AccessToken("old", expiration: expiration), leeway: 60, clock: clock
        ) { _ in AccessToken("new") }
        let stub = StubTransport { try .test($0) }
        let transport = stub.authorizing(with: tokens)
        clock.advance(by: 3539)
        _ = try await transport.send(authorized)
        clock.advance(by: 1)
        _ = try await transport.send(authorized)
        #expect(
            stub.requests.map { $0.value(for: "Authorization") } == ["Bearer old", "Bearer new"])
    }

    @Test func `a token with a short lifetime is refreshed in its last quarter`() async throws {
        let tokens = TokenRefresher(leeway: 60, clock: clock) { [clock] _ in
            AccessToken("short", expiration: clock.now + 20)
        }
        let first = try await tokens.validToken()
        clock.advance(by: 10)
        #expect(try await tokens.validToken() == first)
        clock.advance(by: 5)
        #expect(try await tokens.validToken() != first)
    }

    @Test func `a failed early refresh leaves the token in use until it expires`() async throws {
        let tokens = TokenRefresher(
            token: AccessToken("old", expiration: clock.now + 3600), clock: clock
        ) { _ in throw URLError(.timedOut) }
        clock.advance(by: 3550)
        #expect(try await tokens.validToken().value == "old")
        clock.advance(by: 50)
        #expect(await thrown { try await tokens.validToken() } is TokenRefreshError)
    }

    @Test func `a failed refresh fails all waiting and late requests with its error`() async throws
    {
        let gate = GatedTransport()
        let refreshes = Recorder<Void>()
        let tokens = TokenRefresher(token: AccessToken("old"), clock: clock) { _ in
            refreshes.record(())
            throw URLError(.userAuthenticationRequired)
        }
        let transport = gate.authorizing(with: tokens)
        async let late = thrown { try await transport.send(authorized) }
        try await gate.waitForSends(1)
        let errors = try await withThrowingTaskGroup(of: (any Error)?.self) { group in
            for _ in 0..<20 {
                group.addTask { await thrown { try await transport.send(authorized) } }
            }
            try await gate.waitForSends(21)
            for id in 2...21 { gate.answer(id) { try .test($0, 401) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        gate.answer(1) { try .test($0, 401) }
        for error in errors + [await late] {
            let error = try #require(error as? TokenRefreshError)
            #expect(error.reason == .failed)
            #expect((error.cause as? URLError)?.code == .userAuthenticationRequired)
        }
        #expect(refreshes.count == 1)
        #expect(gate.sendCount == 21)
    }

    @Test func `a 401 for a replayed request is returned, and the request is not sent again`()
        async throws
    {
        let stub = server(accepting: "none")
        let tokens = TokenRefresher(clock: clock) { _ in AccessToken(UUID().uuidString) }
        let transport = stub.authorizing(with: tokens)
        #expect(try await transport.send(authorized).head.statusCode == 401)
        #expect(stub.requests.count == 2)
    }

    @Test func `a 401 for a one-shot body is returned, and the next request refreshes`()
        async throws
    {
        let stub = server(accepting: "new")
        let tokens = TokenRefresher(token: AccessToken("old"), clock: clock) { _ in
            AccessToken("new")
        }
        let transport = stub.authorizing(with: tokens)
        var upload = authorized
        upload.body = .stream(RequestBodyStream(once: AsyncStream<Data> { $0.finish() }))
        #expect(!upload.body.isReplayable)
        #expect(try await transport.send(upload).head.statusCode == 401)
        #expect(stub.requests.count == 1)
        #expect(try await transport.send(authorized).head.statusCode == 200)
        #expect(stub.requests.count == 2)
    }

    @Test func `a refresh receives the token that was current when it was requested`() async throws
    {
        let lasts = Recorder<String?>()
        var state = TokenState(token: AccessToken("old"), now: clock.now)
        let ticket = TokenState.Ticket(token: AccessToken("old"), epoch: 0, generation: 0)
        let action = state.tokenAfterRefusal(of: ticket, uptime: 0) { _, last in
            SharedTask {
                lasts.record(last?.value)
                return ticket
            }
        }
        state.replace(AccessToken("of another"), isSameUser: false, now: clock.now)
        guard case .wait(let work, isNew: true) = action else {
            Issue.record("no refresh")
            return
        }
        work.start()
        _ = try await work.value()
        #expect(lasts.items == ["old"])
    }

    @Test func `a sixth refresh within 30 seconds fails with tooOften`() async throws {
        let tokens = TokenRefresher(clock: clock) { _ in AccessToken("same") }
        let transport = server(accepting: "none").authorizing(with: tokens)
        for _ in 0..<4 { _ = try await transport.send(authorized) }
        let error = await thrown { try await transport.send(authorized) }
        #expect((error as? TokenRefreshError)?.reason == .tooOften)
        clock.advance(by: 30)
        #expect(try await transport.send(authorized).head.statusCode == 401)
    }

    @Test func `failed refreshes do not count towards tooOften, and each error has its cause`()
        async throws
    {
        let isFailing = Recorder<Void>()
        let tokens = TokenRefresher(clock: clock) { _ in
            isFailing.record(())
            guard isFailing.count > 10 else { throw URLError(.networkConnectionLost) }
            return AccessToken("new")
        }
        for _ in 0..<10 {
            let error = await thrown { try await tokens.validToken() } as? TokenRefreshError
            #expect(error?.reason == .failed)
            #expect((error?.cause as? URLError)?.code == .networkConnectionLost)
        }
        #expect(try await tokens.validToken().value == "new")
    }

    @Test func `a refresh through the transport that it authorizes does not wait for the refresh`()
        async throws
    {
        let stub = server(accepting: "new")
        let itself = Recorder<any Transport>()
        let tokens = TokenRefresher(token: AccessToken("old"), clock: clock) { _ in
            let inner = TransportRequest.test(target: Thing(authorizationType: .bearer))
            let response = try await itself.items[0].send(inner)
            #expect(response.head.statusCode == 401)
            return AccessToken("new")
        }
        let transport = stub.authorizing(with: tokens)
        itself.record(transport)
        #expect(try await transport.send(authorized).head.statusCode == 200)
        #expect(
            stub.requests.map { $0.value(for: "Authorization") } == [
                "Bearer old", nil, "Bearer new",
            ])
    }

    @Test func `cancelling one waiting request does not cancel the refresh`() async throws {
        let gate = GatedTransport()
        let tokens = TokenRefresher(clock: clock) { _ in
            AccessToken(try await gate.send(.test()).text)
        }
        let first = Task { await urlErrorCode { try await tokens.validToken() } }
        try await gate.waitForSends(1)
        let second = Task { try await tokens.validToken() }
        first.cancel()
        #expect(await first.value == .cancelled)
        gate.answer()
        #expect(try await second.value.value == "answer")
        #expect(gate.cancelCount == 0)
    }

    @Test func `signing out during a refresh discards the new token`() async throws {
        let gate = GatedTransport()
        let tokens = TokenRefresher(clock: clock) { _ in
            AccessToken(try await gate.send(.test()).text)
        }
        async let error = thrown { try await tokens.validToken() }
        try await gate.waitForSends(1)
        tokens.replaceToken(with: nil)
        gate.answer()
        #expect((await error as? TokenRefreshError)?.reason == .signedOut)
        #expect(tokens.token == nil)
    }

    @Test(arguments: [false, true])
    func `a request refused with 401 is replayed only with a token of the same user`(
        isSameUser: Bool
    )
        async throws
    {
        let gate = GatedTransport()
        let tokens = TokenRefresher(token: AccessToken("of A"), clock: clock) { _ in
            throw URLError(.unknown)
        }
        let transport = gate.authorizing(with: tokens)
        let sending = Task { try await transport.send(authorized).head.statusCode }
        try await gate.waitForSends(1)
        // Signing in again does not undo the sign-out.
        if !isSameUser { tokens.replaceToken(with: nil) }
        tokens.replaceToken(with: AccessToken("of B"), isSameUser: true)
        gate.answer { try .test($0, 401) }
        if isSameUser {
            try await gate.waitForSends(2)
            gate.answer { request in
                #expect(request.value(for: "Authorization") == "Bearer of B")
                return try .test(request)
            }
            #expect(try await sending.value == 200)
        } else {
            let error = await thrown { try await sending.value }
            #expect((error as? TokenRefreshError)?.reason == .signedOut)
            #expect(gate.sendCount == 1)
        }
    }

    @Test(arguments: [false, true], [false, true])
    func `a request waiting for a refresh gets no token of another user`(
        isSameUser: Bool, isFailing: Bool
    ) async throws {
        let gate = GatedTransport()
        let tokens = TokenRefresher(clock: clock) { _ in
            AccessToken(try await gate.send(.test()).text)
        }
        let waiting = Task { try await tokens.validToken().value }
        try await gate.waitForSends(1)
        tokens.replaceToken(with: AccessToken("of B"), isSameUser: isSameUser)
        gate.answer { request in
            if isFailing { throw URLError(.timedOut) }
            return try .test(request)
        }
        if isSameUser {
            #expect(try await waiting.value == "of B")
        } else {
            let error = await thrown { try await waiting.value }
            #expect((error as? TokenRefreshError)?.reason == .signedOut)
        }
        #expect(tokens.token == AccessToken("of B"))
    }

    @Test func `a valid token replaces a failed refresh only for the same user`() throws {
        let error = TokenRefreshError(.failed)
        let old = AccessToken("of A", expiration: clock.now + 10)
        var state = TokenState(token: old, now: clock.now)
        #expect(try state.standIn(for: error, since: 0, now: clock.now).token == old)
        let other = AccessToken("of B", expiration: clock.now + 10)
        state.replace(other, isSameUser: false, now: clock.now)
        #expect(throws: TokenRefreshError.self) {
            try state.standIn(for: error, since: 0, now: clock.now)
        }
        #expect(try state.standIn(for: error, since: 1, now: clock.now).token == other)
    }

    @Test func `only targets with an authorization type get a token`() async throws {
        let stub = StubTransport { try .test($0) }
        let tokens = TokenRefresher(token: AccessToken("secret"), clock: clock) { _ in
            throw URLError(.unknown)
        }
        let transport = stub.authorizing(with: tokens)
        _ = try await transport.send(.test())
        _ = try await transport.send(.test(target: Unauthorized()))
        _ = try await transport.send(.test(target: Thing()))
        _ = try await transport.send(.test(target: MultiTarget(Thing(authorizationType: .bearer))))
        _ = try await stub.authorizing(with: tokens) { _ in true }.send(.test())
        var untargeted = TransportRequest.test()
        untargeted.context.authorizationType = .bearer
        _ = try await transport.send(untargeted)
        #expect(
            stub.requests.map { $0.value(for: "Authorization") } == [
                nil, nil, nil, "Bearer secret", "Bearer secret", "Bearer secret",
            ])
    }

    @Test func `a 401 from a redirect target causes no token refresh`() async throws {
        let tokens = TokenRefresher(token: AccessToken("old"), clock: clock) { _ in
            AccessToken("new")
        }
        let stub = StubTransport { _ in try .test(.test("GET", "http://evil.test/"), 401) }
        let response = try await stub.authorizing(with: tokens).send(authorized)
        #expect(response.head.statusCode == 401)
        #expect(stub.requests.count == 1)
    }

    @Test func `a printed access token shows no secret`() {
        let token = AccessToken("hush-1", expiration: clock.now, refreshToken: "hush-2")
        var dumped = ""
        dump([token], to: &dumped)
        let all = "\(token) \(String(reflecting: [token])) \(dumped)"
        #expect(!all.contains("hush"))
    }
}
