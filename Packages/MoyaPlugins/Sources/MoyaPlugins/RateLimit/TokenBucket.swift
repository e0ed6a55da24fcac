import Foundation

/// Counts how many requests may be sent, without any I/O. One that there is no room for yet may be taken as well: it
/// waits until there is, and those that follow wait longer.
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

    /// Takes one, and says how many seconds to wait for it. Takes none if that is more than `limit`.
    mutating func take(
        now: TimeInterval, limit: TimeInterval
    ) -> (isTaken: Bool, wait: TimeInterval) {
        level = min(burst, level + max(0, now - filledAt) * rate)
        filledAt = max(filledAt, now)
        // A sum of fractions may be a little less than the whole number it stands for.
        let wait = level > 1 - 1e-9 ? 0 : (1 - level) / rate
        guard wait <= limit else { return (false, wait) }
        level -= 1
        return (true, wait)
    }

    /// Gives back what was taken for nothing.
    mutating func giveBack() {
        level = min(burst, level + 1)
    }
}
