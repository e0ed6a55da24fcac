import Foundation
import MoyaCore
@testable import MoyaLayers
import MoyaTesting
import MoyaTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Resources that layers hold while a streamed body arrives, and release afterwards.
@Suite(.timeLimit(.minutes(3))) struct StreamHoldTests {
    /// How reading a body ends.
    enum Leaving: CaseIterable, Sendable {
        case end, failure, leftLoop, droppedResponse
    }

    private let source = GatedStreamTransport()
    private let clock = TestClock(movesByItself: true)
    private let request = TransportRequest.test(destination: .stream)

    /// Sends a request, and ends reading its body as `leaving` says.
    private func read(
        _ transport: any Transport, _ leaving: Leaving,
        meanwhile: (TransportResponse) async throws -> Void = { _ in }
    ) async throws {
        let response = try await transport.send(request)
        try await meanwhile(response)
        switch leaving {
        case .end:
            source.finish()
            #expect(try await response.streamed() == "onetwo")
        case .failure:
            source.finish(URLError(.networkConnectionLost))
            #expect(await thrown { try await response.streamed() } != nil)
        case .leftLoop: for try await _ in try #require(response.stream) { break }
        case .droppedResponse: break
        }
    }

    @Test(arguments: Leaving.allCases)
    func `a streamed response holds its concurrency slot until the body ends`(leaving: Leaving)
        async throws
    {
        let limiter = ConcurrencyLimiter(perHost: 1, maximumWaiting: 0)
        let transport = source.limitingConcurrency(with: limiter)
        let request = request
        try await read(transport, leaving) { _ in
            #expect(
                await thrown { try await transport.send(request) } is ConcurrencyLimitError)
        }
        let next = try await transport.send(request)
        #expect(next.head.statusCode == 200)
    }

    @Test(arguments: Leaving.allCases)
    func `a streamed exchange is recorded in the archive when its body ends`(leaving: Leaving)
        async throws
    {
        let folder = try TemporaryFolder()
        let file = folder.file()
        let recorder = try HARRecorder(to: file)
        try await read(source.recording(to: recorder), leaving) { _ in
            let journal = try Data(contentsOf: HARJournal.journal(of: file))
            #expect(journal.isEmpty)
        }
        try recorder.finish()
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.components(separatedBy: "startedDateTime").count == 2)
        #expect(text.contains("_error") == (leaving != .end))
    }

    @Test func `the streamed response of a retried attempt is stopped`() async throws {
        let source = GatedStreamTransport(statuses: 503, 503, 200)
        let response = try await source.retrying(clock: clock).send(request)
        #expect(response.head.statusCode == 200)
        #expect(source.sendCount == 3)
        #expect(source.stopCount == 2)
        source.finish()
        #expect(try await response.streamed() == "onetwo")
    }

    @Test func `a streamed 401 is stopped when a refreshed token is tried`() async throws {
        let source = GatedStreamTransport(statuses: 401, 200)
        let tokens = TokenRefresher(token: AccessToken("old")) { _ in AccessToken("new") }
        let response = try await source.authorizing(with: tokens) { _ in true }.send(request)
        #expect(response.head.statusCode == 200)
        #expect(source.stopCount == 1)
        source.finish()
        #expect(try await response.streamed() == "onetwo")
    }

    @Test(arguments: [304, 503])
    func `a streamed response is stopped when a stored response replaces it`(status: Int)
        async throws
    {
        let store = MemoryCacheStore()
        let stub = StubTransport {
            try .test($0, 200, ["Cache-Control": "max-age=5", "ETag": "\"1\""])
        }
        _ = try await stub.caching(in: store, clock: clock).send(.test())
        clock.advance(by: 10)
        var options = CacheOptions()
        options.staleIfError = 60
        let source = GatedStreamTransport(statuses: status)
        let response = try await source.caching(in: store, options: options, clock: clock)
            .send(request)
        #expect(response.text == "answer")
        #expect(source.stopCount == 1)
    }

    @Test func `a streamed body is not cached, and a stream request may hit the cache`()
        async throws
    {
        let store = MemoryCacheStore()
        let stub = StubTransport { request in
            var response = try TransportResponse.test(request, 200, ["Cache-Control": "max-age=5"])
            if case .stream = request.destination {
                response.body = .stream(ResponseBodyStream(Data("streamed".utf8)))
            }
            return response
        }
        let transport = stub.caching(in: store, clock: clock)
        #expect(try await transport.send(request).streamed() == "streamed")
        #expect(store.size == 0)
        _ = try await transport.send(.test())
        let hit = try await transport.send(request)
        #expect(hit.cacheStatus?.isHit == true)
        #expect(hit.text == "answer")
        #expect(stub.requests.count == 2)
    }

    @Test func `timeouts of a streamed request do not apply after the response head`() async throws
    {
        let clock = TestClock()
        var policy = RetryPolicy()
        policy.attemptTimeout = 5
        policy.totalTimeout = 5
        let transport = source.retrying(policy, clock: clock).timingOut(after: 5, clock: clock)
        let response = try await transport.send(request)
        clock.advance(by: 60)
        source.finish()
        #expect(try await response.streamed() == "onetwo")
    }

    @Test func `requests for a stream are not coalesced and not hedged`() async throws {
        let gate = GatedTransport()
        let transport = gate.hedging(after: 0, clock: clock).coalescing()
        let request = request
        async let first = transport.send(request)
        async let second = transport.send(request)
        try await gate.waitForSends(2)
        gate.answer()
        _ = try await (first, second)
        #expect(gate.sendCount == 2)
        #expect(clock.sleeps.isEmpty)
    }
}
