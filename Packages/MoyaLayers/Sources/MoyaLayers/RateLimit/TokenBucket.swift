import Foundation

/// Counts how many requests may be sent, without any I/O.
struct TokenBucket: Sendable {
    private let rate: Double
    private let burst: Double
    private var level: Double
    private var filledAt: TimeInterval

    init(rate: Double, burst: Int, now: TimeInterval) {
        self.rate = max(rate, 1e-9)
        self.burst = Double(max(1, burst))
        level = self.burst
        filledAt = now
    }

    /// When one who has `count` others before them may take theirs, `start` at the earliest.
    func turn(after count: Int, notBefore start: TimeInterval) -> TimeInterval {
        var bucket = self
        bucket.fill(until: start)
        return bucket.filledAt + max(0, (Double(count) + 1 - bucket.level) / rate)
    }

    /// Takes one at the time that was somebody's turn. It may have passed since: those who follow lose nothing by it.
    mutating func take(at time: TimeInterval) {
        fill(until: time)
        level -= 1
    }

    /// Adds what a silence until then is worth: a burst at most.
    mutating func fill(until time: TimeInterval) {
        level = min(burst, level + max(0, time - filledAt) * rate)
        filledAt = max(filledAt, time)
    }
}
