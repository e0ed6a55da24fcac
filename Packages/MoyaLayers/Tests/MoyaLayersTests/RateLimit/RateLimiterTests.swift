import Foundation
import MoyaCore
@testable import MoyaLayers
import MoyaTesting
import MoyaTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(3))) struct RateLimiterTests {
    private let clock = TestClock(movesByItself: true)

    @Test func `a rate limiter sends a burst at once and further requests at the rate`()
        async throws
    {
        let stub = StubTransport { try .test($0) }
        let transport = stub.limitingRate(
            with: RateLimiter(2, per: 1, burst: 3, clock: clock))
        for _ in 0..<6 { _ = try await transport.send(.test()) }
        #expect(clock.sleeps.filter { $0 > 0 } == [0.5, 0.5, 0.5])
    }

    @Test func `an idle rate limiter saves up no more than one burst`() async throws {
        let stub = StubTransport { try .test($0) }
        let transport = stub.limitingRate(with: RateLimiter(2, per: 1, clock: clock))
        for _ in 0..<2 { _ = try await transport.send(.test()) }
        clock.advance(by: 1000)
        for _ in 0..<3 { _ = try await transport.send(.test()) }
        #expect(clock.sleeps.filter { $0 > 0 } == [0.5])
    }

    /// Sends `count` requests in order, and waits until each is queued.
    private func send(
        _ count: Int, _ transport: some Transport, waitingFor limiter: RateLimiter
    ) async throws -> [Task<URLError.Code?, Never>] {
        var tasks: [Task<URLError.Code?, Never>] = []
        for number in 1...count {
            let path = "http://host.test/\(number)"
            let request = TransportRequest.test("GET", path)
            tasks.append(Task { await urlErrorCode { try await transport.send(request) } })
            try await until { limiter.waitingCount >= number }
        }
        return tasks
    }

    @Test func `waiting requests of a rate limiter are sent one by one in order`()
        async throws
    {
        let clock = TestClock()
        let gate = GatedTransport()
        let limiter = RateLimiter(1, per: 1, clock: clock)
        let transport = gate.limitingRate(with: limiter)
        async let first = transport.send(.test())
        try await gate.waitForSends(1)
        let tasks = try await send(4, transport, waitingFor: limiter)
        for number in 1...4 {
            await clock.waitForSleepers()
            #expect(clock.advanceToNextSleeper() == 1)
            try await gate.waitForSends(number + 1)
            gate.answer(number + 1) { request in
                #expect(request.urlRequest.url?.path == "/\(number)")
                return try .test(request)
            }
            #expect(await tasks[number - 1].value == nil)
        }
        gate.answer()
        _ = try await first
    }

    @Test func `rate-limited requests are sent at once after their start time`() async throws {
        let clock = TestClock()
        let stub = StubTransport { try .test($0) }
        let limiter = RateLimiter(1, per: 1, clock: clock)
        let transport = stub.limitingRate(with: limiter)
        _ = try await transport.send(.test())
        let tasks = try await send(5, transport, waitingFor: limiter)
        await clock.waitForSleepers()
        clock.advance(by: 4)
        for task in tasks.prefix(4) { #expect(await task.value == nil) }
        await clock.waitForSleepers()
        #expect(stub.requests.count == 5)
        #expect(clock.advanceToNextSleeper() == 1)
        #expect(await tasks[4].value == nil)
    }

    @Test func `a wait over maximumWait is a RateLimitError and takes no slot of the rate`()
        async throws
    {
        let stub = StubTransport { try .test($0) }
        let transport = stub.limitingRate(
            with: RateLimiter(1, per: 10, maximumWait: 5, clock: clock))
        _ = try await transport.send(.test())
        for _ in 0..<3 {
            let error = await thrown { try await transport.send(.test()) }
            #expect(error as? RateLimitError == RateLimitError(retryAfter: 10))
        }
        clock.advance(by: 10)
        _ = try await transport.send(.test())
        #expect(stub.requests.count == 2)
    }

    @Test func `a request cancelled while waiting returns its slot of the rate limiter`()
        async throws
    {
        let clock = TestClock()
        let stub = StubTransport { try .test($0) }
        let transport = stub.limitingRate(with: RateLimiter(1, per: 1, clock: clock))
        _ = try await transport.send(.test())
        let task = Task { await urlErrorCode { try await transport.send(.test()) } }
        await clock.waitForSleepers()
        task.cancel()
        #expect(await task.value == .cancelled)
        clock.advance(by: 1)
        _ = try await transport.send(.test())
        #expect(clock.sleeps == [1])
    }

    @Test func `cancelled waiting requests do not let other requests exceed the rate`() async throws
    {
        let clock = TestClock()
        let stub = StubTransport { try .test($0) }
        let limiter = RateLimiter(1, per: 1, clock: clock)
        let transport = stub.limitingRate(with: limiter)
        _ = try await transport.send(.test())
        let tasks = try await send(4, transport, waitingFor: limiter)
        await clock.waitForSleepers()
        for index in [0, 2] {
            tasks[index].cancel()
            #expect(await tasks[index].value == .cancelled)
        }
        let late = Task { await urlErrorCode { try await transport.send(.test()) } }
        try await until { limiter.waitingCount >= 3 }
        // The remaining requests move up, and the newest request is sent last.
        for (count, task) in zip(2..., [tasks[1], tasks[3], late]) {
            await clock.waitForSleepers()
            #expect(clock.advanceToNextSleeper() == 1)
            #expect(await task.value == nil)
            #expect(stub.requests.count == count)
        }
    }

    private static let limits: [(status: Int, headers: [String: String], pause: TimeInterval?)] = [
        (429, ["Retry-After": "7"], 7), (503, ["Retry-After": "7"], 7),
        (200, ["Retry-After": "7"], nil), (200, ["RateLimit": "\"default\";r=0;t=9"], 9),
        (200, ["RateLimit": "\"a\";r=5;t=9, \"b\";r=0;t=4"], 4),
        (200, ["RateLimit": "limit=10, remaining=0, reset=8"], 8),
        (200, ["RateLimit": "limit=10, remaining=1, reset=8"], nil),
        (200, ["RateLimit-Remaining": "0", "RateLimit-Reset": "6"], 6),
        (200, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1784111782"], 1_000_000_005),
        (200, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1"], 1),
        (200, ["X-RateLimit-Remaining": "3", "X-RateLimit-Reset": "1"], nil),
        (200, ["RateLimit": ";;==,\"r=0"], nil), (429, ["Retry-After": "later"], nil),
    ]

    @Test(arguments: limits.indices)
    func `RateLimit and Retry-After fields of a response set the pause`(index: Int) throws {
        let limit = Self.limits[index]
        let head = try TransportResponse.test(.test(), limit.status, limit.headers).head
        let now = Date(timeIntervalSince1970: 784_111_777)
        #expect(ServerLimit.pause(after: head, now: now) == limit.pause)
    }

    @Test func `a rate limiter pauses for Retry-After, then sends at the rate`()
        async throws
    {
        let stub = StubTransport(.response(429, headers: ["Retry-After": "30"]), .response(200))
        let clock = TestClock()
        let limiter = RateLimiter(1, per: 1, clock: clock)
        let transport = stub.limitingRate(with: limiter)
        _ = try await transport.send(.test())
        let tasks = try await send(3, transport, waitingFor: limiter)
        for (wait, task) in zip([30.0, 1, 1], tasks) {
            await clock.waitForSleepers()
            #expect(clock.advanceToNextSleeper() == wait)
            #expect(await task.value == nil)
        }
    }

    @Test(arguments: ["Retry-After", "RateLimit-Reset"])
    func `a pause that a server asks for is limited to maximumRetryAfter`(name: String) async throws
    {
        let headers = ["RateLimit-Remaining": "0", name: "99999999"]
        let stub = StubTransport { try .test($0, 429, headers) }
        let clock = TestClock()
        let transport = stub.limitingRate(
            with: RateLimiter(10, per: 1, maximumWait: 5, maximumRetryAfter: 20, clock: clock))
        _ = try await transport.send(.test())
        let error = await thrown { try await transport.send(.test()) }
        #expect(error as? RateLimitError == RateLimitError(retryAfter: 20))
        clock.advance(by: 20)
        _ = try await transport.send(.test())
        #expect(stub.requests.count == 2)
    }

    @Test func `requests already waiting are held for a Retry-After, then sent at the rate`()
        async throws
    {
        let gate = GatedTransport()
        let clock = TestClock()
        let limiter = RateLimiter(1, per: 1, clock: clock)
        let transport = gate.limitingRate(with: limiter)
        async let first = transport.send(.test())
        try await gate.waitForSends(1)
        let tasks = try await send(4, transport, waitingFor: limiter)
        await clock.waitForSleepers()
        clock.advance(by: 0.5)
        gate.answer { try .test($0, 429, ["Retry-After": "10"]) }
        _ = try await first
        clock.advance(by: 0.5)
        for (number, wait) in zip(2..., [9.5, 1, 1, 1]) {
            await clock.waitForSleepers()
            #expect(gate.sendCount == number - 1)
            #expect(clock.advanceToNextSleeper() == wait)
            try await gate.waitForSends(number)
            gate.answer()
            #expect(await tasks[number - 2].value == nil)
        }
    }

    @Test func `a waiting request fails when Retry-After exceeds maximumWait`() async throws {
        let gate = GatedTransport()
        let clock = TestClock()
        let limiter = RateLimiter(1, per: 1, maximumWait: 5, clock: clock)
        let transport = gate.limitingRate(with: limiter)
        async let first = transport.send(.test())
        try await gate.waitForSends(1)
        async let second = thrown { try await transport.send(.test()) }
        async let third = thrown { try await transport.send(.test()) }
        try await until { limiter.waitingCount >= 2 }
        await clock.waitForSleepers()
        gate.answer { try .test($0, 429, ["Retry-After": "10"]) }
        _ = try await first
        clock.advance(by: 1)
        for error in [await second, await third] {
            #expect(error as? RateLimitError == RateLimitError(retryAfter: 9))
        }
        #expect(gate.sendCount == 1)
    }
}
