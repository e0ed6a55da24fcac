import Foundation
import MoyaCore
import MoyaInternals

/// A clock that a test advances. Tasks that sleep on it wake when the test advances the clock; no
/// real time passes.
///
/// Stubs use it for their delays, and layers of MoyaLayers for their pauses.
///
/// ```swift
/// let clock = TestClock()
/// let stub = StubTransport(.response(503), .response(200))
/// let provider = MoyaProvider<GitHub>(transport: stub.retrying(.exponential(), clock: clock))
/// async let answer = provider.request(.zen)
/// await clock.waitForSleepers()  // the pause before the second attempt
/// clock.advance(by: 60)
/// ```
public final class TestClock: MoyaClock {
    private let state: Locked<TestClockState>
    private let start: Date
    private let movesByItself: Bool

    /// - Parameters:
    ///   - start: Initial date of the clock.
    ///   - movesByItself: Whether each sleep advances the clock and returns immediately. For tests
    ///     that check only the lengths in ``sleeps``. Timeouts pass when sleeps have advanced the
    ///     clock that far.
    ///   - seed: Seed of the random numbers that vary waits. With `nil`, every wait has its maximum
    ///     length.
    public init(
        start: Date = Date(timeIntervalSince1970: 784_111_777), movesByItself: Bool = false,
        seed: UInt64? = nil
    ) {
        self.start = start
        self.movesByItself = movesByItself
        state = Locked(TestClockState(random: seed.map { SeededGenerator(seed: $0) }))
        LeakScope.current?.watch(self)
    }

    /// The current date: the initial date plus ``uptime``.
    public var now: Date { start + uptime }

    /// Seconds by which the clock was advanced.
    public var uptime: TimeInterval { state.withLock(\.elapsed) }

    /// Lengths of all sleeps in seconds, in the order in which they began.
    public var sleeps: [TimeInterval] { state.withLock(\.sleeps) }

    /// Number of sleeping tasks.
    public var sleeperCount: Int { state.withLock(\.sleepers.count) }

    /// Seconds until the next sleeper wakes. `nil` if no task sleeps.
    public var timeToNextSleeper: TimeInterval? { state.withLock(\.timeToNext) }

    /// Suspends until the clock was advanced by `seconds`. Returns immediately if `seconds` is not
    /// positive.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(for seconds: TimeInterval) async throws {
        try await sleep { _ in seconds }
    }

    /// Suspends until the clock was advanced by `seconds`, also if it moves by itself.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func timeout(after seconds: TimeInterval) async throws {
        try Task.checkCancellation()
        try await waitForAdvance { _ in seconds }
    }

    /// Returns a random number from 0 to 1 that the clock's seed determines, or 1 without a seed.
    public func randomShare() -> Double { state.withLock { $0.randomShare() } }

    /// Suspends until ``uptime`` reaches `end`.
    func sleep(until end: TimeInterval) async throws {
        try await sleep { end - $0 }
    }

    /// - Parameter length: Returns the seconds to sleep, given the current ``uptime``.
    private func sleep(_ length: @Sendable (TimeInterval) -> TimeInterval) async throws {
        try Task.checkCancellation()
        if movesByItself {
            let answers = state.withLock { state in
                let seconds = length(state.elapsed)
                let arrived = state.passBy(seconds)
                return state.advance(by: seconds) + arrived
            }
            return resume(answers)
        }
        try await waitForAdvance(length)
    }

    private func waitForAdvance(
        _ length: @Sendable (TimeInterval) -> TimeInterval
    ) async throws {
        try await suspend { id, answer in
            resume(state.withLock { $0.fallAsleep(id, for: length($0.elapsed), answer) })
            return nil
        } giveUp: { id in
            state.withLock { $0.sleepers.removeValue(forKey: id)?.answer }
        }
    }

    /// Advances the clock and wakes the tasks that are due, in the order of their wake times.
    public func advance(by seconds: TimeInterval) {
        resume(state.withLock { $0.advance(by: seconds) })
    }

    /// Advances the clock to the time at which the next sleeper wakes.
    ///
    /// - Returns: Seconds by which the clock was advanced. `nil` if no task sleeps.
    @discardableResult
    public func advanceToNextSleeper() -> TimeInterval? {
        let (step, due) = state.withLock { state in
            let step = state.timeToNext
            return (step, step.map { state.advance(by: $0) } ?? [])
        }
        resume(due)
        return step
    }

    /// Waits until at least `count` tasks sleep, or until the waiting task is cancelled.
    public func waitForSleepers(_ count: Int = 1) async {
        await wait(for: { $0.sleepers.count >= count })
    }

    /// Waits until at least `count` sleeps have begun, ended or not, or until the waiting task is
    /// cancelled.
    func waitForSleeps(_ count: Int) async {
        await wait(for: { $0.sleeps.count >= count })
    }

    private func wait(for isMet: @escaping @Sendable (borrowing TestClockState) -> Bool) async {
        try? await suspend { id, answer in
            state.withLock { state in
                guard !isMet(state) else { return .success(()) }
                state.watchers.append(.init(id: id, isMet: isMet, answer: answer))
                return nil
            }
        } giveUp: { id in
            state.withLock { state in
                state.watchers.firstIndex { $0.id == id }
                    .map { state.watchers.remove(at: $0).answer }
            }
        }
    }

    private func resume(_ answers: [TestClockState.Answer]) {
        for answer in answers { answer.resume() }
    }
}

extension TestClock: LeakWatched {
    var leaks: [String] {
        let count = sleeperCount
        return count == 0 ? [] : ["\(count) still asleep on a TestClock that was not moved"]
    }
}
