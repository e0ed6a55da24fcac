import Foundation
import MoyaCore
import MoyaTesting
import Testing

/// Oracle: `sleep = random_between(0, min(cap, base * 2 ** attempt))`, "full jitter" in
/// "Exponential Backoff And Jitter" of the AWS Architecture Blog, with Python.
@Suite struct BackoffTests {
    /// A clock without a seed, whose waits have their maximum length.
    private let clock = TestClock()

    private func waits(_ backoff: Backoff, _ count: Int) -> [TimeInterval?] {
        (1...count).map { backoff.wait(beforeRetry: $0, clock: clock) }
    }

    @Test func `The bound of a wait doubles from half a second to thirty seconds by default`() {
        #expect(waits(Backoff(), 8) == [0.5, 1, 2, 4, 8, 16, 30, 30])
        #expect(waits(Backoff(base: 1, factor: 3, limit: 10), 4) == [1, 3, 9, 10])
        #expect(waits(Backoff(base: 3, factor: 1), 3) == [3, 3, 3])
        #expect(Backoff().wait(beforeRetry: 100_000, clock: clock) == 30)
    }

    @Test func `Without a base or a limit there is no wait, however many retries there were`() {
        for backoff in [Backoff(base: 0), Backoff(base: -1), Backoff(limit: 0)] {
            for number in [Int.min, 0, 1, 2, 100_000, .max] {
                #expect(backoff.wait(beforeRetry: number, clock: clock) == 0)
            }
        }
    }

    @Test func `Full jitter draws a wait from the whole range up to its bound`() {
        let draws = (0..<1000).compactMap { _ in Backoff(base: 8).wait(beforeRetry: 1) }
        #expect(draws.allSatisfy { (0...8).contains($0) })
        #expect(draws.contains { $0 < 1 } && draws.contains { $0 > 7 })
    }

    @Test func `A clock's seed determines the waits`() {
        func draws(seed: UInt64) -> [TimeInterval?] {
            let clock = TestClock(seed: seed)
            return (1...4).map { Backoff().wait(beforeRetry: $0, clock: clock) }
        }
        #expect(draws(seed: 1) == draws(seed: 1))
        #expect(draws(seed: 1) != draws(seed: 2))
        #expect(Set(draws(seed: 1)).count == 4)
    }

    @Test func `Retry-After prolongs a wait up to its own limit, beyond that there is no retry`() {
        let backoff = Backoff(base: 1, limit: 5, maximumRetryAfter: 40)
        func wait(_ retryAfter: TimeInterval) -> TimeInterval? {
            backoff.wait(beforeRetry: 9, retryAfter: retryAfter, clock: clock)
        }
        #expect(wait(0) == 5)
        #expect(wait(-1) == 5)
        #expect(wait(6) == 6)
        #expect(wait(40) == 40)
        #expect(wait(41) == nil)
        #expect(wait(.infinity) == nil)
        #expect(Backoff().wait(beforeRetry: 1, retryAfter: 60, clock: clock) == 60)
        #expect(Backoff().wait(beforeRetry: 1, retryAfter: 61, clock: clock) == nil)
    }
}
