import Foundation

/// Token bucket: counts how many requests may be sent. No I/O.
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

    /// Returns the time, `start` at the earliest, at which a request behind `count` others may take
    /// a token.
    func startTime(after count: Int, notBefore start: TimeInterval) -> TimeInterval {
        var bucket = self
        bucket.fill(until: start)
        return bucket.filledAt + max(0, (Double(count) + 1 - bucket.level) / rate)
    }

    /// Takes a token at its start time. If that time has passed, the delay does not postpone later
    /// requests.
    mutating func take(at time: TimeInterval) {
        fill(until: time)
        level -= 1
    }

    /// Adds the tokens accrued until `time`, up to a full bucket.
    mutating func fill(until time: TimeInterval) {
        level = min(burst, level + max(0, time - filledAt) * rate)
        filledAt = max(filledAt, time)
    }
}
