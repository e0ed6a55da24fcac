import Foundation

/// Requests that wait for a rate limiter, first in, first out. No I/O.
///
/// Only the first waiter has a start time. The others move up when a waiter before them starts or
/// is cancelled, so a cancelled waiter holds no start time.
struct RateLimitQueue: Sendable {
    typealias Continuation = CheckedContinuation<Void, any Error>

    /// Next step of the first waiter.
    enum Step {
        /// Start, and resume the next waiter.
        case go(next: Continuation?)
        /// Call ``RateLimitQueue/step(now:end:)`` again after this many seconds.
        case wait(TimeInterval)
        /// Fail: the wait would be this many seconds.
        case refuse(TimeInterval)
    }

    /// Next step of a new waiter.
    enum Entry {
        case isFirst, wait, refuse(TimeInterval)
    }

    private struct Waiter {
        /// `nil` for a waiter that was the first when it came.
        let id: UUID?
        /// Resumed when the waiter is the first. `nil` once it is.
        var continuation: Continuation?
    }

    private var bucket: TokenBucket
    private var waiters: [Waiter] = []
    private var blockedUntil: TimeInterval = 0

    init(_ bucket: TokenBucket) {
        self.bucket = bucket
    }

    var waitingCount: Int { waiters.count }

    /// Starts no request before `time`.
    mutating func block(until time: TimeInterval) {
        blockedUntil = max(blockedUntil, time)
    }

    /// Starts a request without a wait. Returns `false` if it has to wait.
    mutating func goAtOnce(now: TimeInterval) -> Bool {
        guard waiters.isEmpty else { return false }
        bucket.fill(until: now)
        let start = bucket.startTime(after: 0, notBefore: blockedUntil)
        guard start <= now else { return false }
        bucket.take(at: start)
        return true
    }

    /// Adds the first waiter, which gives up at `end`. Returns ``Entry/wait``, and adds none, if
    /// there are others.
    mutating func enterFirst(now: TimeInterval, end: TimeInterval) -> Entry {
        guard waiters.isEmpty else { return .wait }
        return enter(nil, now: now, end: end)
    }

    /// Adds a waiter that gives up at `end`.
    mutating func enter(
        _ waiter: (id: UUID, continuation: Continuation)?, now: TimeInterval, end: TimeInterval
    ) -> Entry {
        let isFirst = waiters.isEmpty
        // Without waiters, the time until now fills the bucket.
        if isFirst { bucket.fill(until: now) }
        let start = bucket.startTime(after: waiters.count, notBefore: blockedUntil)
        guard start <= end else { return .refuse(start - now) }
        waiters.append(Waiter(id: waiter?.id, continuation: isFirst ? nil : waiter?.continuation))
        return isFirst ? .isFirst : .wait
    }

    /// Returns the next step of the first waiter, which gives up at `end`.
    mutating func step(now: TimeInterval, end: TimeInterval) -> Step {
        let start = bucket.startTime(after: 0, notBefore: blockedUntil)
        // Rounding of fractions may leave the start time slightly in the future.
        guard start > now + 1e-6 else {
            bucket.take(at: start)
            return .go(next: removeFirst())
        }
        return start <= end ? .wait(start - now) : .refuse(start - now)
    }

    /// Removes the first waiter. Returns the continuation of the next waiter.
    mutating func removeFirst() -> Continuation? {
        waiters.removeFirst()
        guard !waiters.isEmpty else { return nil }
        defer { waiters[0].continuation = nil }
        return waiters[0].continuation
    }

    /// Removes a waiter other than the first. Returns its continuation, or `nil` if the waiter is
    /// the first or absent.
    mutating func remove(_ id: UUID) -> Continuation? {
        guard let index = waiters.firstIndex(where: { $0.id == id && $0.continuation != nil })
        else { return nil }
        return waiters.remove(at: index).continuation
    }
}
