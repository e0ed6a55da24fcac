import Foundation

/// State of a ``TestClock``: the time, the sleepers and the watchers. Never waits.
struct TestClockState: Sendable {
    typealias Answer = CheckedContinuation<Void, any Error>

    struct Sleeper: Sendable {
        let end: TimeInterval
        let number: Int
        let answer: Answer
    }

    /// A task that waits for a condition, such as a number of sleepers.
    struct Watcher: Sendable {
        let id: UUID
        let isMet: @Sendable (borrowing TestClockState) -> Bool
        let answer: Answer
    }

    var random: SeededGenerator?
    private(set) var elapsed: TimeInterval = 0
    private(set) var sleeps: [TimeInterval] = []
    var sleepers: [UUID: Sleeper] = [:]
    var watchers: [Watcher] = []

    /// Adds a sleeper. Returns the continuations of the sleepers that are due, which may include
    /// the new one, and of the watchers whose condition is met.
    mutating func fallAsleep(
        _ id: UUID, for seconds: TimeInterval, _ answer: Answer
    ) -> [Answer] {
        // A sleep of NaN seconds ends immediately.
        let seconds = seconds.isNaN ? 0 : seconds
        sleepers[id] = Sleeper(end: elapsed + seconds, number: sleeps.count, answer: answer)
        return wake() + passBy(seconds)
    }

    /// Records a sleep. Returns the continuations of the watchers whose condition is met.
    mutating func passBy(_ seconds: TimeInterval) -> [Answer] {
        sleeps.append(seconds)
        let arrived = watchers.filter { $0.isMet(self) }
        if !arrived.isEmpty {
            let state = self
            watchers.removeAll { $0.isMet(state) }
        }
        return arrived.map(\.answer)
    }

    /// Advances the time. Returns the continuations of the sleepers that are due, in the order of
    /// their wake times.
    mutating func advance(by seconds: TimeInterval) -> [Answer] {
        // The clock is monotonic.
        if seconds > 0 { elapsed += seconds }
        return wake()
    }

    mutating func wake() -> [Answer] {
        let due = sleepers.filter { $0.value.end <= elapsed }
        for id in due.keys { sleepers[id] = nil }
        return due.values.sorted { ($0.end, $0.number) < ($1.end, $1.number) }.map(\.answer)
    }

    mutating func randomShare() -> Double {
        guard var generator = random else { return 1 }
        defer { random = generator }
        return .random(in: 0...1, using: &generator)
    }

    var timeToNext: TimeInterval? {
        sleepers.values.map { max(0, $0.end - elapsed) }.min()
    }
}
