import Foundation
import MoyaInternals

/// How long to wait before a retry: somewhere between nothing and a bound that doubles each time.
///
/// The whole range is drawn from ("full jitter"), so that clients that failed together do not come
/// back together.
public struct Backoff: Sendable, Equatable {
    /// The bound before the first retry, in seconds.
    public var base: TimeInterval
    /// What the bound grows by from retry to retry.
    public var factor: Double
    /// The largest bound, in seconds.
    public var limit: TimeInterval

    /// Bounds of half a second, one, two, four and so on up to half a minute, unless you say otherwise.
    ///
    /// - Parameters:
    ///   - base: In seconds. 0 or less does not wait.
    ///   - factor: 1 has the same bound before each retry.
    ///   - limit: In seconds. 0 or less does not wait.
    public init(base: TimeInterval = 0.5, factor: Double = 2, limit: TimeInterval = 30) {
        self.base = base
        self.factor = factor
        self.limit = limit
    }

    /// The longest wait before the retry with this number, counted from 1.
    func bound(beforeRetry number: Int) -> TimeInterval {
        let bound = base * pow(factor, Double(max(0, number - 1)))
        // About thirty years: a random number needs a bound that is finite.
        let finite = min(bound.isNaN ? limit : bound, limit, 1e9)
        return finite > 0 ? finite : 0
    }
}

/// Draws a number between 0 and a bound.
typealias Jitter = @Sendable (_ bound: TimeInterval) -> TimeInterval

let fullJitter: Jitter = { bound in
    var generator = PauseGenerator()
    return bound > 0 ? .random(in: 0...bound, using: &generator) : 0
}
