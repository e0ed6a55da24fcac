import Foundation
import MoyaCore
@testable import MoyaPlugins
import MoyaTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct RateLimiterTests {
    private let clock = TestClock(movesByItself: true)

    @Test func `a burst goes at once, and the rest at the rate`() async throws {
        let stub = StubTransport { try .test($0) }
        let transport = stub.limitingRate(
            with: RateLimiter(2, per: 1, burst: 3, clock: clock))
        for _ in 0..<6 { _ = try await transport.send(.test()) }
        #expect(clock.sleeps.filter { $0 > 0 } == [0.5, 0.5, 0.5])
    }

    @Test func `a silence is worth a burst and no more`() async throws {
        let stub = StubTransport { try .test($0) }
        let transport = stub.limitingRate(with: RateLimiter(2, per: 1, clock: clock))
        for _ in 0..<2 { _ = try await transport.send(.test()) }
        clock.advance(by: 1000)
        for _ in 0..<3 { _ = try await transport.send(.test()) }
        #expect(clock.sleeps.filter { $0 > 0 } == [0.5])
    }

    @Test func `those who wait go one after the other`() async throws {
        let clock = TestClock()
        let stub = StubTransport { try .test($0) }
        let transport = stub.limitingRate(with: RateLimiter(1, per: 1, clock: clock))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<5 { group.addTask { _ = try await transport.send(.test()) } }
            await clock.waitForSleeps(5)
            #expect(Set(clock.sleeps) == [0, 1, 2, 3, 4])
            clock.advance(by: 4)
            try await group.waitForAll()
        }
        #expect(stub.requests.count == 5)
    }

    @Test func `whoever would wait too long is told so and takes no turn`() async throws {
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

    @Test func `one who leaves gives the turn back`() async throws {
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
        #expect(clock.sleeps == [0, 1, 0])
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
    func `what the server says about its limit is understood`(index: Int) throws {
        let limit = Self.limits[index]
        let head = try TransportResponse.test(.test(), limit.status, limit.headers).head
        let now = Date(timeIntervalSince1970: 784_111_777)
        #expect(ServerLimit.pause(after: head, now: now) == limit.pause)
    }

    @Test func `nothing is sent until the server wants to hear from us, and then at the rate`()
        async throws
    {
        let stub = StubTransport(.response(429, headers: ["Retry-After": "30"]), .response(200))
        let clock = TestClock()
        let transport = stub.limitingRate(with: RateLimiter(1, per: 1, clock: clock))
        _ = try await transport.send(.test())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 { group.addTask { _ = try await transport.send(.test()) } }
            await clock.waitForSleepers(3)
            #expect(clock.sleeps.sorted() == [0, 30, 31, 32])
            clock.advance(by: 32)
            try await group.waitForAll()
        }
    }

    @Test(arguments: ["Retry-After", "RateLimit-Reset"])
    func `a server may ask for so much silence and no more`(name: String) async throws {
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

    @Test func `whoever waits already hears of it too`() async throws {
        let gate = GatedTransport()
        let clock = TestClock()
        let transport = gate.limitingRate(with: RateLimiter(1, per: 1, clock: clock))
        async let first = transport.send(.test())
        await gate.waitForSends(1)
        async let second = transport.send(.test())
        await clock.waitForSleepers()
        gate.answer { try .test($0, 429, ["Retry-After": "30"]) }
        _ = try await first
        clock.advance(by: 1)
        await clock.waitForSleepers()
        #expect(gate.sendCount == 1)
        clock.advance(by: 29)
        await gate.waitForSends(2)
        gate.answer()
        _ = try await second
    }
}
