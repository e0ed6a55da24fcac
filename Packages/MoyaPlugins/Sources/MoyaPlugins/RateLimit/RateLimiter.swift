import Foundation
@_spi(MoyaInternals) import MoyaCore

/// A request would have to wait longer for its turn than the limiter allows. Nothing was sent.
public struct RateLimitError: Error, Equatable, LocalizedError {
    /// How many seconds it would have to wait.
    public let retryAfter: TimeInterval

    public var errorDescription: String? {
        "Too many requests: this one would have to wait \(retryAfter.rounded(.up).whole) s."
    }
}

/// Spaces requests out: so many at once, and so many in a period of time. Have one for each service.
///
/// It listens to the service as well. After a response with 429 or 503 and `Retry-After`, or with
/// `RateLimit` fields that say nothing is left, nothing is sent until the time they name. The limiter's
/// `maximumRetryAfter` bounds that.
public final class RateLimiter: Sendable {
    private struct State {
        var bucket: TokenBucket
        var blockedUntil: TimeInterval = 0
    }

    private let maximumWait: TimeInterval
    private let maximumRetryAfter: TimeInterval
    private let clock: any LayerClock
    private let state: Locked<State>

    /// - Parameters:
    ///   - count: How many requests go in `period` seconds, in the long run. With 0 or less, none but the burst.
    ///   - burst: How many go at once after a silence, at least one. `count` unless you say otherwise.
    ///   - maximumWait: How long a request waits for its turn, in seconds. One that would have to wait
    ///     longer fails at once.
    ///   - maximumRetryAfter: The longest silence a server may ask for, in seconds. One that asks for more, by
    ///     mistake or not, is asked again after this.
    public init(
        _ count: Int, per period: TimeInterval, burst: Int? = nil, maximumWait: TimeInterval = 60,
        maximumRetryAfter: TimeInterval = 60, clock: any LayerClock = .system
    ) {
        self.maximumWait = maximumWait
        self.maximumRetryAfter = maximumRetryAfter
        self.clock = clock
        let bucket = TokenBucket(
            rate: Double(max(0, count)) / max(period, 1e-9), burst: burst ?? count,
            now: clock.uptime)
        state = Locked(State(bucket: bucket))
    }

    /// Returns when it is the caller's turn.
    ///
    /// - Throws: ``RateLimitError``; `URLError(.cancelled)`.
    func acquire() async throws {
        let end = clock.uptime + maximumWait
        while true {
            let (isTaken, wait) = takeTurn(before: end)
            guard isTaken else { throw RateLimitError(retryAfter: wait) }
            do {
                try await clock.pause(for: wait)
            } catch {
                state.withLock { $0.bucket.giveBack() }
                throw error
            }
            let now = clock.uptime
            let isFree = state.withLock { state in
                guard state.blockedUntil > now else { return true }
                // While this request waited, the server has asked for a pause: it has to wait for another turn.
                state.bucket.giveBack()
                return false
            }
            if isFree { return }
        }
    }

    private func takeTurn(before end: TimeInterval) -> (isTaken: Bool, wait: TimeInterval) {
        let now = clock.uptime
        return state.withLock { state in
            // The first turn is when the pause that the server has asked for is over.
            let from = max(now, state.blockedUntil)
            guard from <= end else { return (false, from - now) }
            let turn = state.bucket.take(now: from, limit: end - from)
            return (turn.isTaken, turn.wait + from - now)
        }
    }

    /// Takes note of a pause that the server asks for.
    func learn(from head: ResponseHead) {
        guard let pause = ServerLimit.pause(after: head, now: clock.now) else { return }
        let end = clock.uptime + min(pause, maximumRetryAfter)
        state.withLock { $0.blockedUntil = max($0.blockedUntil, end) }
    }
}

/// A layer that lets requests go when it is their turn.
public struct RateLimitingTransport: Transport {
    let next: any Transport
    let limiter: RateLimiter

    /// - Throws: ``RateLimitError``, and what the transport throws.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try await limiter.acquire()
        let response = try await next.send(request)
        limiter.learn(from: response.head)
        return response
    }
}

extension Transport {
    /// This transport, sending no more than `limiter` allows.
    ///
    /// ```swift
    /// let transport = CurlTransport().limitingRate(with: RateLimiter(10, per: 1))
    /// ```
    public func limitingRate(with limiter: RateLimiter) -> RateLimitingTransport {
        RateLimitingTransport(next: self, limiter: limiter)
    }
}
