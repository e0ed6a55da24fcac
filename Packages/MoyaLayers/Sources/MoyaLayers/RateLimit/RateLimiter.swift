import Foundation
import MoyaCore
import MoyaInternals

/// A request would have to wait longer than the limiter allows. Nothing was sent.
public struct RateLimitError: Error, Equatable, LocalizedError {
    /// How many seconds it would have to wait.
    public let retryAfter: TimeInterval

    public var errorDescription: String? {
        "Too many requests: this one would have to wait \(retryAfter.rounded(.up).whole) s."
    }
}

/// Spaces requests out: so many at once, and so many in a period of time. The others wait, and go in the order in which
/// they came. Have one for each service.
///
/// It listens to the service as well. After a response with 429 or 503 and `Retry-After`, or with
/// `RateLimit` fields that say nothing is left, nothing is sent until the time they name. The limiter's
/// `maximumRetryAfter` bounds that.
public final class RateLimiter: Sendable {
    private let maximumWait: TimeInterval
    private let maximumRetryAfter: TimeInterval
    private let clock: any MoyaClock
    private let queue: Locked<RateLimitQueue>

    /// - Parameters:
    ///   - count: How many requests go in `period` seconds, in the long run. With 0 or less, none but the burst.
    ///   - burst: How many go at once after a silence, at least one. `count` unless you say otherwise.
    ///   - maximumWait: The longest wait of a request, in seconds. A request that would have to wait longer fails at
    ///     once, or when it is the next to start where the server has asked for a pause meanwhile.
    ///   - maximumRetryAfter: The longest silence a server may ask for, in seconds. One that asks for more, by
    ///     mistake or not, is asked again after this.
    public init(
        _ count: Int, per period: TimeInterval, burst: Int? = nil, maximumWait: TimeInterval = 60,
        maximumRetryAfter: TimeInterval = 60, clock: any MoyaClock = .system
    ) {
        self.maximumWait = maximumWait
        self.maximumRetryAfter = maximumRetryAfter
        self.clock = clock
        let bucket = TokenBucket(
            rate: Double(max(0, count)) / max(period, 1e-9), burst: burst ?? count,
            now: clock.uptime)
        queue = Locked(RateLimitQueue(bucket))
    }

    /// Waits until the caller may send.
    ///
    /// - Throws: ``RateLimitError``; `URLError(.cancelled)`.
    func acquire() async throws {
        guard !Task.isCancelled else { throw URLError(.cancelled) }
        let end = clock.uptime + maximumWait
        try await queueUp(until: end)
        while true {
            let now = clock.uptime
            switch queue.withLock({ $0.step(now: now, end: end) }) {
            case .go(let next):
                next?.resume()
                return
            case .wait(let wait):
                do {
                    try await clock.pause(for: wait)
                } catch {
                    leaveAsFirst()
                    throw error
                }
            // While this request waited, the server has asked for a pause.
            case .refuse(let wait):
                leaveAsFirst()
                throw RateLimitError(retryAfter: wait)
            }
        }
    }

    /// Waits until the caller is the first in the queue.
    private func queueUp(until end: TimeInterval) async throws {
        try await suspend(throwing: URLError(.cancelled)) { id, continuation in
            let now = clock.uptime
            switch queue.withLock({ $0.enter(id, continuation, now: now, end: end) }) {
            case .isFirst: return .success(())
            case .wait: return nil
            case .refuse(let wait): return .failure(RateLimitError(retryAfter: wait))
            }
        } giveUp: { id in
            queue.withLock { $0.remove(id) }
        }
    }

    private func leaveAsFirst() {
        queue.withLock { $0.removeFirst() }?.resume()
    }

    /// Number of waiting requests.
    var waitingCount: Int { queue.withLock(\.waitingCount) }

    /// Takes note of a pause that the server asks for.
    func learn(from head: ResponseHead) {
        guard let pause = ServerLimit.pause(after: head, now: clock.now) else { return }
        let end = clock.uptime + min(pause, maximumRetryAfter)
        queue.withLock { $0.block(until: end) }
    }
}

extension Transport {
    /// This transport, sending no more than `limiter` allows. A request that would have to wait for too long fails with a
    /// ``RateLimitError``.
    ///
    /// ```swift
    /// let transport = CurlTransport().limitingRate(with: RateLimiter(10, per: 1))
    /// ```
    public func limitingRate(with limiter: RateLimiter) -> some Transport {
        Layer { request in
            try await limiter.acquire()
            let response = try await send(request)
            limiter.learn(from: response.head)
            return response
        }
    }
}
