import Foundation
import MoyaCore
@testable import MoyaLayers
import MoyaTestSupport
import MoyaTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(3))) struct LayerEventTests {
    private let clock = TestClock(movesByItself: true)
    private let events = Recorder<String>()

    private func observed(_ transport: some Transport) -> some Transport {
        let events = events
        return transport.observing { events.record(Self.text($0)) }
    }

    @Test func `an observer around a retrying layer sees each retry with its cause and delay`()
        async throws
    {
        let counts = Recorder<Int>()
        let answers = Recorder<Void>()
        let stub = StubTransport { request in
            counts.record(request.context.resendCount)
            switch answers.add(()) {
            case 1: return try .test(request, 503)
            case 2: throw URLError(.timedOut)
            default: return try .test(request)
            }
        }
        let policy = RetryPolicy(maximumRetries: 2).deciding { .retry(after: Double($0.number)) }
        _ = try await observed(stub.retrying(policy, clock: clock)).send(.test())
        #expect(
            events.items == [
                "began", "retrying after 503 in 1.0", "retrying after timeout in 2.0", "ended 200",
            ])
        #expect(counts.items == [0, 1, 2])
    }

    @Test func `an observer inside a retrying layer sees each attempt with its resend count`()
        async throws
    {
        let counts = Recorder<Int>()
        let stub = StubTransport(.response(503), .response(200))
        let transport = stub.observing { event in
            if case .began(let request) = event { counts.record(request.context.resendCount) }
        }.retrying(clock: clock)
        _ = try await transport.send(.test())
        #expect(counts.items == [0, 1])
    }

    @Test func `an observer sees the refresh of a refused token, and the request sent again`()
        async throws
    {
        let counts = Recorder<Int>()
        let stub = StubTransport { request in
            counts.record(request.context.resendCount)
            let isWelcome = request.value(for: "Authorization") == "Bearer new"
            return try .test(request, isWelcome ? 200 : 401)
        }
        let clock = clock
        let tokens = TokenRefresher(token: AccessToken("old"), clock: clock) { _ in
            clock.advance(by: 3)
            return AccessToken("new")
        }
        _ = try await observed(stub.authorizing(with: tokens, where: { _ in true }))
            .send(.test())
        #expect(
            events.items == [
                "began", "refresh began", "refresh ended after 3.0", "retrying after 401 in 0.0",
                "ended 200",
            ])
        #expect(counts.items == [0, 1])
    }

    @Test func `an observer sees the error of a refresh that fails`() async throws {
        let tokens = TokenRefresher(clock: clock) { _ in throw URLError(.badServerResponse) }
        let stub = StubTransport { try .test($0) }
        _ = try? await observed(stub.authorizing(with: tokens, where: { _ in true }))
            .send(.test())
        #expect(
            events.items == [
                "began", "refresh began", "refresh failed: TokenRefreshError",
                "ended TokenRefreshError",
            ])
    }

    @Test func `an observer sees a circuit open, half-open and close`() async throws {
        let clock = TestClock()
        let answers = Recorder<Void>()
        let stub = StubTransport { try .test($0, answers.add(()) <= 6 ? 503 : 200) }
        let transport = observed(stub.breakingCircuit(with: CircuitBreaker(clock: clock)))
        for _ in 0..<6 { _ = try? await transport.send(.test()) }
        for _ in 0..<2 {
            clock.advance(by: 30)
            _ = try await transport.send(.test())
        }
        let origin = "http://host.test:80"
        #expect(
            events.items.filter { $0.hasPrefix("http") }
                == ["open", "halfOpen", "open", "halfOpen", "closed"].map { "\(origin) \($0)" })
    }

    @Test func `an observer sees requests wait for the concurrency limiter`() async throws {
        let gate = GatedTransport()
        let limiter = ConcurrencyLimiter(perHost: 1, maximumWaiting: 2)
        let transport = observed(gate.limitingConcurrency(with: limiter))
        func waits() -> [String] { events.items.filter { $0.contains("queued") } }
        async let first = transport.send(.test())
        try await gate.waitForSends(1)
        async let second = transport.send(.test())
        try await until { waits() == ["queued 1"] }
        async let third = transport.send(.test())
        try await until { limiter.waitingCount("http://host.test:80") == 2 }
        #expect(await thrown { try await transport.send(.test()) } is ConcurrencyLimitError)
        for number in 1...3 {
            try await gate.waitForSends(number)
            gate.answer(number)
        }
        _ = try await (first, second, third)
        #expect(waits() == ["queued 1", "queued 2", "dequeued 1", "dequeued 0"])
    }

    @Test func `an observer sees a request wait for the rate limiter`() async throws {
        let stub = StubTransport { try .test($0) }
        let transport = observed(
            stub.limitingRate(with: RateLimiter(1, per: 1, clock: clock)))
        for _ in 0..<2 { _ = try await transport.send(.test()) }
        #expect(
            events.items == ["began", "ended 200", "began", "queued 1", "dequeued 0", "ended 200"])
    }

    @Test func `two observers around a layer both see its events`() async throws {
        let inner = Recorder<String>()
        let stub = StubTransport(.response(503), .response(200))
        let transport = observed(
            stub.retrying(clock: clock).observing { inner.record(Self.text($0)) })
        _ = try await transport.send(.test())
        #expect(inner.items.count == 3)
        #expect(inner.items.contains { $0.hasPrefix("retrying after 503") })
        #expect(events.items == inner.items)
    }

    @Test func `a request that nothing observes has no observer`() async throws {
        let stub = StubTransport { try .test($0) }
        _ = try await stub.retrying().observing(clock: clock, if: { false }) { _ in }
            .send(.test())
        #expect(stub.requests.map { $0.observer == nil } == [true])
    }

    /// The event without what differs from run to run.
    private static func text(_ event: ExchangeEvent) -> String {
        func text(_ outcome: Result<TransportResponse, any Error>) -> String {
            SemanticConventions.errorType(outcome)
                ?? (try? outcome.get()).map { "\($0.head.statusCode)" } ?? ""
        }
        switch event {
        case .began: return "began"
        case .ended(_, let outcome, _): return "ended \(text(outcome))"
        case .exchanged(_, let outcome, _): return "exchanged \(text(outcome))"
        case .retrying(_, let outcome, let delay):
            return "retrying after \(text(outcome)) in \(delay)"
        case .queued(_, let count): return "queued \(count)"
        case .dequeued(_, let count, _): return "dequeued \(count)"
        case .circuit(let origin, let state): return "\(origin) \(state)"
        case .refreshBegan: return "refresh began"
        case .refreshEnded(nil, let duration): return "refresh ended after \(duration)"
        case .refreshEnded(let error?, _): return "refresh failed: \(type(of: error))"
        case .connection: return "connection"
        }
    }
}
