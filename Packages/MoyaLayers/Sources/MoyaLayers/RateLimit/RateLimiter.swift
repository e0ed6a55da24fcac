import Foundation
import MoyaCore
import MoyaInternals

/// A request was not sent because it would have to wait longer than the limiter allows.
public struct RateLimitError: Error, Equatable, LocalizedError {
    /// Time the request would have to wait, in seconds.
    public let retryAfter: TimeInterval

    /// The time that the request would have to wait.
    public var errorDescription: String? {
        "The rate limiter sent nothing: the request would have to wait "
            + "\(retryAfter.rounded(.up).whole) s, longer than maximumWait. Retry after that time."
    }
}

/// Limits the rate of requests with a token bucket: a burst at once, and a fixed number in each
/// period. Further requests wait, first in, first out. Use one limiter for each service.
///
/// The limiter also follows the service's limits. After a response with 429 or 503 and
/// `Retry-After`, or with `RateLimit` fields without remaining quota, it sends no request until the
/// time that the response names. `maximumRetryAfter` bounds that pause.
public final class RateLimiter: Sendable {
    private let maximumWait: TimeInterval
    private let maximumRetryAfter: TimeInterval
    private let clock: any MoyaClock
    private let queue: Locked<RateLimitQueue>

    /// - Parameters:
    ///   - count: Number of requests in each `period` seconds, in the long run. With 0 or less,
    ///     only the burst is sent.
    ///   - burst: Number of requests that may start at once after an idle time, at least one.
    ///     Default: `count`.
    ///   - maximumWait: Maximum wait of a request, in seconds. A request that would have to wait
    ///     longer fails at once. If the server asks for a longer pause in the meantime, a waiting
    ///     request fails when it becomes the first.
    ///   - maximumRetryAfter: Maximum pause that a server may ask for, in seconds. After a longer
    ///     pause is requested, sending resumes after this time.
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

    /// Waits until the caller may send `request`.
    ///
    /// - Throws: ``RateLimitError``; `URLError(.cancelled)`; `URLError(.timedOut)` if the request
    ///   would have to wait longer than its deadline allows.
    func acquire(for request: TransportRequest) async throws {
        guard !Task.isCancelled else { throw URLError(.cancelled) }
        guard let deadline = request.deadline else {
            return try await acquire(within: maximumWait, for: request)
        }
        let url = request.urlRequest.url
        guard !deadline.hasPassed else { throw deadline.error(url: url, wasSent: false) }
        if queue.withLock({ $0.goAtOnce(now: clock.uptime) }) { return }
        let remaining = deadline.remaining
        do {
            try await deadline.run(for: url, wasSent: false) { [self] in
                try await acquire(within: min(maximumWait, remaining), for: request)
            }
        } catch let error as RateLimitError where remaining < maximumWait {
            throw deadline.error(
                url: url,
                "The rate limiter sent nothing: the request would have to wait "
                    + "\(error.retryAfter.rounded(.up).whole) s, longer than its deadline allows.",
                wasSent: false)
        }
    }

    private func acquire(
        within seconds: TimeInterval, for request: TransportRequest
    ) async throws {
        let end = clock.uptime + seconds
        var queueWait = QueueWait(of: request)
        defer { queueWait.end(waitingCount: waitingCount) }
        try await queueUp(until: end, &queueWait)
        do {
            while true {
                let now = clock.uptime
                switch queue.withLock({ $0.step(now: now, end: end) }) {
                case .go(let next):
                    next?.resume()
                    return
                case .wait(let wait):
                    queueWait.begin(waitingCount: waitingCount)
                    try await clock.pause(for: wait)
                // The server asked for a pause while this request waited.
                case .refuse(let wait): throw RateLimitError(retryAfter: wait)
                }
            }
        } catch {
            queue.withLock { $0.removeFirst() }?.resume()
            throw error
        }
    }

    /// Waits until the caller is the first in the queue.
    private func queueUp(until end: TimeInterval, _ queueWait: inout QueueWait) async throws {
        // The first needs no continuation.
        let entry = queue.withLock { $0.enterFirst(now: clock.uptime, end: end) }
        switch entry {
        case .isFirst: return
        case .refuse(let wait): throw RateLimitError(retryAfter: wait)
        case .wait: queueWait.begin(waitingCount: waitingCount + 1)
        }
        try await suspend(throwing: URLError(.cancelled)) { id, continuation in
            let now = clock.uptime
            switch queue.withLock({ $0.enter((id, continuation), now: now, end: end) }) {
            case .isFirst: return .success(())
            case .wait: return nil
            case .refuse(let wait): return .failure(RateLimitError(retryAfter: wait))
            }
        } giveUp: { id in
            queue.withLock { $0.remove(id) }
        }
    }

    /// Number of waiting requests.
    var waitingCount: Int { queue.withLock(\.waitingCount) }

    /// Applies a pause that the response asks for.
    func learn(from head: ResponseHead) {
        guard let pause = ServerLimit.pause(after: head, now: clock.now) else { return }
        let end = clock.uptime + min(pause, maximumRetryAfter)
        queue.withLock { $0.block(until: end) }
    }
}

extension Transport {
    /// Wraps this transport in a layer that sends no more requests than `limiter` allows. A request
    /// that would have to wait too long fails with a ``RateLimitError``, or with
    /// `URLError(.timedOut)` if its deadline is the reason.
    ///
    /// ```swift
    /// let transport = CurlTransport().limitingRate(with: RateLimiter(10, per: 1))
    /// ```
    public func limitingRate(with limiter: RateLimiter) -> some Transport {
        Layer(around: self) { request in
            try await limiter.acquire(for: request)
            let response = try await send(request)
            limiter.learn(from: response.head)
            return response
        }
    }
}
