import Foundation

/// Who sleeps, and until when. Without any waiting of its own.
struct TestClockState: Sendable {
    struct Sleeper: Sendable {
        let end: TimeInterval
        let number: Int
        let answer: CheckedContinuation<Void, any Error>
    }

    /// A task that waits for others to fall asleep.
    struct Watcher: Sendable {
        let id: UUID
        let isMet: @Sendable (borrowing TestClockState) -> Bool
        let answer: CheckedContinuation<Void, any Error>
    }

    private(set) var elapsed: TimeInterval = 0
    private(set) var sleeps: [TimeInterval] = []
    var sleepers: [UUID: Sleeper] = [:]
    var watchers: [Watcher] = []

    /// Returns who wakes, which may be the same at once, and who waited for that.
    mutating func fallAsleep(
        _ id: UUID, for seconds: TimeInterval, _ answer: CheckedContinuation<Void, any Error>
    ) -> (due: [Sleeper], arrived: [Watcher]) {
        // What is no number is no time.
        let seconds = seconds.isNaN ? 0 : seconds
        sleepers[id] = Sleeper(end: elapsed + seconds, number: sleeps.count, answer: answer)
        let due = wake()
        return (due, passBy(seconds))
    }

    /// Notes a sleep. Returns who waited for that.
    mutating func passBy(_ seconds: TimeInterval) -> [Watcher] {
        sleeps.append(seconds)
        let arrived = watchers.filter { $0.isMet(self) }
        if !arrived.isEmpty {
            let state = self
            watchers.removeAll { $0.isMet(state) }
        }
        return arrived
    }

    /// Returns who wakes, in order.
    mutating func advance(by seconds: TimeInterval) -> [Sleeper] {
        // A clock never goes back.
        if seconds > 0 { elapsed += seconds }
        return wake()
    }

    mutating func wake() -> [Sleeper] {
        let due = sleepers.filter { $0.value.end <= elapsed }
        for id in due.keys { sleepers[id] = nil }
        return due.values.sorted { ($0.end, $0.number) < ($1.end, $1.number) }
    }

    var timeToNext: TimeInterval? {
        sleepers.values.map { max(0, $0.end - elapsed) }.min()
    }
}
