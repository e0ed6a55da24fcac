import Foundation
import MoyaCore
import MoyaInternals
import MoyaTestSupport
import Testing

@testable import MoyaStubs

@Suite(.timeLimit(.minutes(3))) struct TestClockTests {
    @Test func `a sleep on a test clock ends when the clock has advanced far enough`() async throws
    {
        let clock = TestClock()
        let start = clock.now
        let isAwake = Locked(false)
        let task = Task {
            try await clock.sleep(for: 10)
            isAwake.withLock { $0 = true }
        }
        await clock.waitForSleepers()
        clock.advance(by: 9.5)
        #expect(clock.sleeperCount == 1)
        #expect(!isAwake.withLock { $0 })
        clock.advance(by: 0.5)
        try await task.value
        #expect(clock.uptime == 10)
        #expect(clock.now == start + 10)
    }

    @Test func `advancing to the next sleeper wakes the sleepers in order`() async throws {
        let clock = TestClock()
        let order = Locked<[Int]>([])
        for seconds in [3, 1, 2] {
            Task {
                try await clock.sleep(for: TimeInterval(seconds))
                order.withLock { $0.append(seconds) }
            }
        }
        await clock.waitForSleepers(3)
        var steps: [TimeInterval] = []
        while let step = clock.advanceToNextSleeper() {
            steps.append(step)
            try await until { order.withLock { $0.count } == steps.count }
        }
        #expect(steps == [1, 1, 1])
        #expect(order.withLock { $0 } == [1, 2, 3])
    }

    @Test func `a cancelled sleep on a test clock ends at once`() async {
        let clock = TestClock()
        let task = Task { try await clock.sleep(for: 10) }
        await clock.waitForSleepers()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.sleeperCount == 0)
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await clock.sleep(for: 10)
        }
        await #expect(throws: CancellationError.self) { try await late.value }
    }

    @Test(arguments: [0, -1, .nan])
    func `a sleep of zero, negative or NaN seconds ends at once`(seconds: TimeInterval) async throws
    {
        let clock = TestClock()
        try await clock.sleep(for: seconds)
        #expect(clock.uptime == 0)
    }

    @Test func `sleeps of zero seconds do not count as sleepers`() async throws {
        let clock = TestClock()
        let waiting = Task {
            await clock.waitForSleepers()
            return Task.isCancelled
        }
        for _ in 0..<1000 {
            try await clock.sleep(for: 0)
            await Task.yield()
        }
        waiting.cancel()
        #expect(await waiting.value)
    }

    @Test func `a clock that moves by itself ends sleeps at once and records their lengths`()
        async throws
    {
        let clock = TestClock(movesByItself: true)
        try await clock.sleep(for: 5)
        try await clock.sleep(for: 7)
        #expect(clock.sleeps == [5, 7])
        #expect(clock.uptime == 12)
    }

    @Test func `a test clock never goes backwards`() {
        let clock = TestClock()
        clock.advance(by: 5)
        clock.advance(by: -3)
        clock.advance(by: .nan)
        #expect(clock.uptime == 5)
    }

    @Test func `waiting for sleeps includes sleeps that have ended`() async throws {
        let clock = TestClock(movesByItself: true)
        async let arrival: Void = clock.waitForSleeps(2)
        for _ in 0..<2 { try await clock.sleep(for: 1) }
        await arrival
        #expect(clock.sleeps.count == 2)
    }

    @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
    @Test func `a test clock can be used as a Swift Clock`() async throws {
        let clock = TestClock()
        let swiftClock = clock.asClock
        let start = swiftClock.now
        async let sleep: Void = swiftClock.sleep(for: .seconds(90))
        await clock.waitForSleepers()
        #expect(clock.sleeps == [90])
        clock.advance(by: 90)
        try await sleep
        #expect(start.duration(to: swiftClock.now) == .seconds(90))
        #expect(start < swiftClock.now)
    }

    @Test func `a cancelled task stops waiting for sleepers`() async {
        let clock = TestClock()
        let waiting = Task {
            await clock.waitForSleepers()
            await clock.waitForSleeps(1)
        }
        waiting.cancel()
        await waiting.value
        #expect(clock.sleeps.isEmpty)
    }

    @Test func `1,000 sleepers of many tasks all wake`() async throws {
        let clock = TestClock()
        async let all: Void = withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<1000 {
                group.addTask { try await clock.sleep(for: TimeInterval(index % 10 + 1)) }
            }
            try await group.waitForAll()
        }
        await clock.waitForSleepers(1000)
        clock.advance(by: 10)
        try await all
        #expect(clock.sleeperCount == 0)
    }
}
