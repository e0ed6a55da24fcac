import Foundation

/// Waits between the attempts of a request: exponential backoff with full jitter. The wait before a
/// retry is a random time between 0 and a bound that doubles by default, and at least as long as
/// the server asks for.
///
/// Full jitter spreads the retries of clients that failed at the same time. Retries and resumable
/// transfers use it, and event sources, whose waits are never shorter than the base.
public struct Backoff: Sendable, Equatable {
    /// Bound of the wait before the first retry, in seconds.
    public var base: TimeInterval
    /// Factor by which the bound grows from retry to retry.
    public var factor: Double
    /// Maximum bound, in seconds. A longer `Retry-After` takes precedence.
    public var limit: TimeInterval
    /// Longest `Retry-After` that is followed, in seconds. After a response that asks for a longer
    /// wait there is no retry.
    public var maximumRetryAfter: TimeInterval

    /// Creates a backoff, by default with bounds of 0.5, 1, 2, 4 and so on up to 30 seconds.
    ///
    /// - Parameters:
    ///   - base: Bound before the first retry, in seconds. With 0 or less there is no wait.
    ///   - factor: Growth of the bound. With 1 the bound is constant.
    ///   - limit: Maximum bound, in seconds. With 0 or less there is no wait.
    ///   - maximumRetryAfter: Longest `Retry-After` that is followed, in seconds.
    public init(
        base: TimeInterval = 0.5, factor: Double = 2, limit: TimeInterval = 30,
        maximumRetryAfter: TimeInterval = 60
    ) {
        self.base = base
        self.factor = factor
        self.limit = limit
        self.maximumRetryAfter = maximumRetryAfter
    }

    /// Returns the wait before a retry, in seconds, or `nil` if the server asks for a wait of more
    /// than ``maximumRetryAfter``.
    ///
    /// - Parameters:
    ///   - number: Number of the retry, counted from 1.
    ///   - retryAfter: Wait that the server asks for (RFC 9110, section 10.2.3), in seconds.
    ///   - clock: Source of the random share of the bound.
    public func wait(
        beforeRetry number: Int, retryAfter: TimeInterval? = nil, clock: any MoyaClock = .system
    ) -> TimeInterval? {
        if let retryAfter, retryAfter > maximumRetryAfter { return nil }
        return max(retryAfter ?? 0, bound(beforeRetry: number) * clock.randomShare())
    }

    /// Returns the maximum wait before a retry, in seconds.
    private func bound(beforeRetry number: Int) -> TimeInterval {
        guard base > 0 else { return 0 }
        let bound = base * pow(factor, Double(max(1, number) - 1))
        // Capped at about thirty years, because a wait has to be finite.
        let finite = min(bound.isNaN ? limit : bound, limit, 1e9)
        return finite > 0 ? finite : 0
    }
}
