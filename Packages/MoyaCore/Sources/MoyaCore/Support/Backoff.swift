import Foundation

/// Exponential backoff with full jitter: the wait before a retry is a random time between 0 and a
/// bound that doubles by default.
///
/// Full jitter spreads the retries of clients that failed at the same time.
public struct Backoff: Sendable, Equatable {
    /// Bound of the wait before the first retry, in seconds.
    public var base: TimeInterval
    /// Factor by which the bound grows from retry to retry.
    public var factor: Double
    /// Maximum bound, in seconds.
    public var limit: TimeInterval

    /// Creates a backoff, by default with bounds of 0.5, 1, 2, 4 and so on up to 30 seconds.
    ///
    /// - Parameters:
    ///   - base: Bound before the first retry, in seconds. With 0 or less there is no wait.
    ///   - factor: Growth of the bound. With 1 the bound is constant.
    ///   - limit: Maximum bound, in seconds. With 0 or less there is no wait.
    public init(base: TimeInterval = 0.5, factor: Double = 2, limit: TimeInterval = 30) {
        self.base = base
        self.factor = factor
        self.limit = limit
    }

    /// Returns the maximum wait before the retry with this number, counted from 1, in seconds.
    public func bound(beforeRetry number: Int) -> TimeInterval {
        let bound = base * pow(factor, Double(max(0, number - 1)))
        // Capped at about thirty years, because a random number needs a finite bound.
        let finite = min(bound.isNaN ? limit : bound, limit, 1e9)
        return finite > 0 ? finite : 0
    }
}
