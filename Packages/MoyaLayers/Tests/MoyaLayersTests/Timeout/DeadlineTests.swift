import Foundation
import MoyaCore
import MoyaInternals
@testable import MoyaLayers
import MoyaTestSupport
import MoyaTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Layers and the deadline of a request.
@Suite(.timeLimit(.minutes(3))) struct DeadlineTests {
    /// The clock of deadlines.
    private let clock = TestClock()
    /// The clock of layers whose waits take no time.
    private let layerClock = TestClock(movesByItself: true)

    private func request(
        within seconds: TimeInterval, target: (any TargetType)? = nil,
        destination: ResponseDestination = .memory()
    ) -> TransportRequest {
        var request = TransportRequest.test(destination: destination, target: target)
        request.deadline = RequestDeadline(after: seconds, clock: clock)
        return request
    }

    private static func isTimeout(_ error: (any Error)?) -> Bool {
        guard let error = error as? URLError, error.code == .timedOut else { return false }
        return error.userInfo[NSUnderlyingErrorKey] is DeadlineError
    }

    // MARK: Retries

    @Test(arguments: [(9.0, 1), (10, 1), (11, 2)])
    func `a Retry-After beyond the deadline is not waited for, and its response is returned`(
        deadline: Double, count: Int
    ) async throws {
        let stub = StubTransport(.response(429).header("Retry-After", "10"), .response(200))
        let transport = stub.retrying(.exponential(), clock: layerClock)
        let response = try await transport.send(request(within: deadline))
        #expect(response.head.statusCode == (count == 1 ? 429 : 200))
        #expect(stub.requests.count == count)
        #expect(layerClock.sleeps == (count == 1 ? [] : [10]))
    }

    @Test func `a backoff beyond the deadline is not waited for, and the error is returned`() async
    {
        let stub = StubTransport(.failure(.networkConnectionLost))
        let policy = RetryPolicy.exponential(maximumRetries: 5, base: 1)
        let transport = stub.retrying(policy, clock: layerClock)
        #expect(
            await urlErrorCode { try await transport.send(request(within: 3)) }
                == .networkConnectionLost)
        // The clock of the deadline stands still, so that waits of 1 and 2 seconds fit, each.
        #expect(layerClock.sleeps == [1, 2])
    }

    @Test func `each attempt has what is left of the deadline`() async throws {
        let stub = StubTransport { [clock] request in
            clock.advance(by: 2)
            return try .test(request, 503)
        }
        let policy = RetryPolicy.exponential(maximumRetries: 5, base: 0)
        let left = Recorder<TimeInterval?>()
        let transport = stub.observing { event in
            if case .began(let request) = event { left.record(request.deadline?.remaining) }
        }
        .retrying(policy, clock: clock)
        _ = try? await transport.send(request(within: 5))
        #expect(left.items == [5, 3, 1])
    }

    @Test func `an attempt that exceeds its timeout is retried within the deadline`() async throws {
        let stub = StubTransport(.silence, .response(200), clock: clock)
        var policy = RetryPolicy.exponential(base: 0)
        policy.attemptTimeout = 2
        let transport = stub.retrying(policy, clock: clock)
        async let response = transport.send(request(within: 5))
        // The stub, its deadline, and the layer's timeout.
        await clock.waitForSleepers(3)
        clock.advance(by: 2)
        #expect(try await response.head.statusCode == 200)
    }

    // MARK: Timeouts

    @Test func `layers inside timingOut see timedOut, and none sees a cancellation`() async throws {
        for _ in 0..<100 {
            let clock = TestClock()
            let types = Recorder<String?>()
            let transport = StubTransport(.silence, clock: clock).observing(clock: clock) { event in
                if case .ended(_, let outcome, _) = event {
                    types.record(SemanticConventions.errorType(outcome))
                }
            }
            .timingOut(after: 5, clock: clock)
            async let error = thrown { try await transport.send(.test()) }
            await clock.waitForSleepers(3)
            clock.advance(by: 5)
            #expect(Self.isTimeout(await error))
            #expect(types.items == ["timeout"])
        }
    }

    @Test func `layers inside timingOut know its deadline, but not for a stream`() async throws {
        let stub = StubTransport { try .test($0) }
        let transport = stub.timingOut(after: 3, clock: clock)
        _ = try await transport.send(.test())
        _ = try await transport.send(request(within: 2))
        _ = try await transport.send(.test(destination: .stream))
        #expect(stub.requests.map { $0.deadline?.remaining } == [3, 2, nil])
    }

    @Test func `a timeout does not pass on a clock that ends each sleep at once`() async throws {
        for _ in 0..<100 {
            let clock = TestClock(movesByItself: true)
            let transport = StubTransport(.response(503), .response(200))
                .timingOut(after: 10, clock: clock).retrying(.exponential(), clock: clock)
                .timingOut(after: 10, clock: clock)
            #expect(try await transport.send(.test()).head.statusCode == 200)
            #expect(clock.uptime == 0.5)
        }
    }

    // MARK: Limits

    @Test func `a request in the concurrency queue fails at its deadline and takes no slot`()
        async throws
    {
        let gate = GatedTransport()
        let transport = gate.limitingConcurrency(perHost: 1)
        async let first = transport.send(.test())
        try await gate.waitForSends(1)
        let late = request(within: 5)
        async let error = thrown { try await transport.send(late) }
        await clock.waitForSleepers()
        clock.advance(by: 5)
        #expect(Self.isTimeout(await error))
        gate.answer()
        _ = try await first
        async let last = transport.send(.test())
        try await gate.waitForSends(2)
        gate.answer()
        _ = try await last
    }

    @Test func `a rate limiter refuses a request at once if its wait exceeds the deadline`()
        async throws
    {
        let stub = StubTransport { try .test($0) }
        let transport = stub.limitingRate(with: RateLimiter(1, per: 10, clock: clock))
        _ = try await transport.send(request(within: 5))
        let error = await thrown { try await transport.send(request(within: 5)) }
        #expect(Self.isTimeout(error))
        #expect("\(try #require(error).localizedDescription)".contains("10 s"))
        #expect(stub.requests.count == 1)
    }

    @Test func `a request whose deadline ends its wait in a queue is not retried`() async throws {
        let limiter = RateLimiter(1, per: 60, clock: clock)
        let transport = StubTransport(.response(200)).limitingRate(with: limiter)
            .retrying(.exponential(), clock: layerClock)
        _ = try await transport.send(request(within: 10))
        #expect(await urlErrorCode { try await transport.send(request(within: 10)) } == .timedOut)
        #expect(layerClock.sleeps == [])
    }

    @Test func `a request that was not sent in time does not open the circuit`() async throws {
        var policy = CircuitBreaker.Policy()
        (policy.window, policy.minimumCalls) = (1, 1)
        let limiter = RateLimiter(1, per: 60, clock: clock)
        let transport = StubTransport(.response(200)).limitingRate(with: limiter)
            .breakingCircuit(with: CircuitBreaker(policy, clock: clock))
        _ = try await transport.send(request(within: 10))
        for seconds in [10.0, 0, 10] {
            let code = await urlErrorCode { try await transport.send(request(within: seconds)) }
            #expect(code == .timedOut)
        }
    }

    @Test func `a RateLimitError is thrown if the limiter's own maximum is less than the deadline`()
        async throws
    {
        let stub = StubTransport { try .test($0) }
        let limiter = RateLimiter(1, per: 10, maximumWait: 4, clock: clock)
        let transport = stub.limitingRate(with: limiter)
        _ = try await transport.send(.test())
        let error = await thrown { try await transport.send(request(within: 5)) }
        #expect(error as? RateLimitError == RateLimitError(retryAfter: 10))
    }

    @Test
    func `a request queued in a rate limiter fails at its deadline when the server pauses it`()
        async throws
    {
        let limiter = RateLimiter(10, per: 1, burst: 1, clock: clock)
        let gate = GatedTransport()
        let transport = gate.limitingRate(with: limiter)
        async let first = transport.send(.test())
        try await gate.waitForSends(1)
        let patient = Task { try await transport.send(.test()) }
        try await until { limiter.waitingCount == 1 }
        let late = request(within: 5)
        async let error = thrown { try await transport.send(late) }
        try await until { limiter.waitingCount == 2 }
        gate.answer { try .test($0, 429, ["Retry-After": "50"]) }
        #expect(try await first.head.statusCode == 429)
        // The wait of the first in the queue, and the deadline of the second.
        await clock.waitForSleepers(2)
        clock.advance(by: 5)
        #expect(Self.isTimeout(await error))
        #expect(limiter.waitingCount == 1)
        patient.cancel()
        _ = await patient.result
    }

    @Test func `hedging sends no second request that would begin after the deadline`() async throws
    {
        let gate = GatedTransport()
        let transport = gate.hedging(after: 5, clock: layerClock)
        async let response = transport.send(request(within: 5))
        try await gate.waitForSends(1)
        gate.answer()
        _ = try await response
        #expect(layerClock.sleeps.isEmpty)
        #expect(gate.sendCount == 1)
    }

    // MARK: Shared work

    @Test func `the deadline of a request ends its wait for a token, but not the refresh`()
        async throws
    {
        let deadlines = Recorder<TimeInterval?>()
        let answers = AsyncStream<AccessToken>.makeStream()
        let tokens = TokenRefresher(clock: clock) { _ in
            deadlines.record(RequestDeadline.current?.remaining)
            for await token in answers.stream { return token }
            throw URLError(.cancelled)
        }
        let stub = StubTransport { try .test($0) }
        let transport = stub.authorizing(with: tokens)
        let target = Thing(authorizationType: .bearer)
        async let error = withDeadline(after: 5, clock: clock) {
            await thrown { try await transport.send(.test(target: target)) }
        }
        await clock.waitForSleepers()
        clock.advance(by: 5)
        #expect(Self.isTimeout(await error))
        let other = Task { try await transport.send(.test(target: target)) }
        answers.continuation.yield(AccessToken("new"))
        _ = try await other.value
        #expect(deadlines.items == [nil])
        #expect(stub.requests.map { $0.value(for: "Authorization") } == ["Bearer new"])
    }

    @Test func `a request that waits for a shared response leaves at its own deadline`()
        async throws
    {
        let gate = GatedTransport()
        let transport = CoalescingTransport(next: gate)
        async let first = transport.send(.test())
        try await gate.waitForSends(1)
        let late = request(within: 5)
        async let error = thrown { try await transport.send(late) }
        await clock.waitForSleepers()
        clock.advance(by: 5)
        #expect(Self.isTimeout(await error))
        #expect(gate.cancelCount == 0)
        gate.answer()
        _ = try await first
    }

    @Test func `requests with more time are sent once more when a shared request's time is over`()
        async throws
    {
        let stub = StubTransport(.silence, .text("second"), clock: clock)
        let transport = CoalescingTransport(next: stub)
        let hasty = request(within: 5)
        async let error = thrown { try await transport.send(hasty) }
        await clock.waitForSleepers(2)
        var others: [Task<String, any Error>] = []
        for number in 1...3 {
            let patient = request(within: 9)
            others.append(Task { try await transport.send(patient).text })
            try await until { transport.waitingCount == number + 1 }
        }
        // Two of the first request, and the deadlines of the others.
        await clock.waitForSleepers(5)
        clock.advance(by: 5)
        #expect(Self.isTimeout(await error))
        for other in others { #expect(try await other.value == "second") }
        // Requests that start at the same moment may both be sent.
        #expect((2...4).contains(stub.requests.count))
    }

    @Test func `the validation of a stale response in the background has no deadline`()
        async throws
    {
        let stub = StubTransport { request in
            try .test(
                request, 200,
                ["Cache-Control": "max-age=1, stale-while-revalidate=100", "ETag": "\"a\""])
        }
        let transport = stub.caching(in: MemoryCacheStore(), clock: clock)
        _ = try await transport.send(.test())
        clock.advance(by: 2)
        _ = try await transport.send(request(within: 5))
        try await until { stub.requests.count == 2 }
        #expect(stub.requests[1].deadline == nil)
    }
}
