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

    /// When a request with `count` others before it may take its token, `start` at the earliest.
    func startTime(after count: Int, notBefore start: TimeInterval) -> TimeInterval {
        var bucket = self
        bucket.fill(until: start)
        return bucket.filledAt + max(0, (Double(count) + 1 - bucket.level) / rate)
    }

    /// Takes a token at its start time. That may have passed since: later requests lose nothing by the delay.
    mutating func take(at time: TimeInterval) {
        fill(until: time)
        level -= 1
    }

    /// Adds the tokens of the time until then, up to a full bucket.
    mutating func fill(until time: TimeInterval) {
        level = min(burst, level + max(0, time - filledAt) * rate)
        filledAt = max(filledAt, time)
    }
}
