import Foundation
import MoyaCore

/// A layer that repeats a failed request if a retry is safe and likely to succeed.
struct RetryingTransport: Transport {
    let next: any Transport
    let policy: RetryPolicy
    let clock: any MoyaClock

    var sessionHeaders: [String: String] { next.sessionHeaders }

    /// Sends `request` until an attempt succeeds or the policy decides to finish.
    func send(_ request: TransportRequest) async throws -> TransportResponse {
        policy.budget?.deposit()
        let start = clock.uptime
        var request = request
        var number = 1
        while true {
            let outcome = await attempt(request, elapsed: clock.uptime - start)
            let elapsed = clock.uptime - start
            guard let delay = delay(after: outcome, of: request, number, elapsed: elapsed),
                policy.budget?.withdraw() ?? true
            else { return try outcome.get() }
            guard try await isPathAvailable(after: outcome, of: request, delay, since: start) else {
                policy.budget?.giveBack()
                return try outcome.get()
            }
            request.observer?(.retrying(request, outcome, delay: delay))
            // The next attempt creates the same file, which must not exist by then.
            if case .success(let response) = outcome { response.discard() }
            try await clock.pause(for: delay)
            number += 1
            request.context.resendCount += 1
        }
    }

    private func attempt(
        _ request: TransportRequest, elapsed: TimeInterval
    ) async -> Result<TransportResponse, any Error> {
        let remaining = policy.totalTimeout.map { max(0, $0 - elapsed) }
        guard let limit = [policy.attemptTimeout, remaining].compactMap({ $0 }).min() else {
            return await Result(of: { try await next.send(request) })
        }
        return await Result(of: {
            try await request.timingOut(after: limit, clock: clock) { try await next.send($0) }
        })
    }

    /// Returns the wait before another attempt, in seconds, or `nil` to finish.
    private func delay(
        after outcome: Result<TransportResponse, any Error>, of request: TransportRequest,
        _ number: Int, elapsed: TimeInterval
    ) -> TimeInterval? {
        guard number <= policy.maximumRetries, request.body.isReplayable, !Task.isCancelled else {
            return nil
        }
        // The policy's own decision is to finish then.
        if policy.decision == nil, case .success(let response) = outcome,
            TransientFailure(statusCode: response.head.statusCode) == nil
        {
            return nil
        }
        let retryAfter = (try? outcome.get())?.head.retryAfter(at: clock.now)
        let wait = policy.backoff.wait(beforeRetry: number, retryAfter: retryAfter, clock: clock)
        let mayRetry = wait != nil && RetryPolicy.mayRetry(request, after: outcome)
        let proposedDelay = wait ?? retryAfter ?? 0
        let attempt = RetryAttempt(
            number: number, request: request, outcome: outcome, elapsed: elapsed,
            proposal: mayRetry ? .retry(after: proposedDelay) : .finish,
            proposedDelay: proposedDelay)
        let decision = policy.decision?(attempt) ?? attempt.proposal
        guard case .retry(let delay) = decision else { return nil }
        if let total = policy.totalTimeout, elapsed + delay >= total { return nil }
        if let deadline = request.deadline, delay >= deadline.remaining { return nil }
        return max(0, delay)
    }

    /// Waits for a network path if the policy says so, as long as there is time for it and for
    /// `delay` within the total timeout and the deadline. Returns whether there is a path.
    private func isPathAvailable(
        after outcome: Result<TransportResponse, any Error>, of request: TransportRequest,
        _ delay: TimeInterval, since start: TimeInterval
    ) async throws -> Bool {
        guard let connectivity = policy.connectivity else { return true }
        let remaining = [
            policy.totalTimeout.map { $0 - (clock.uptime - start) }, request.deadline?.remaining,
        ].compactMap { $0 }.min().map { $0 - delay }
        return try await connectivity.isPathAvailable(
            after: outcome, of: request, within: remaining, clock: clock)
    }
}

extension Transport {
    /// Wraps this transport in a layer that repeats failed requests according to `policy`.
    ///
    /// ```swift
    /// let transport = CurlTransport().retrying(.exponential(maximumRetries: 3))
    /// ```
    ///
    /// A request is repeated only if that is safe and likely to succeed. The caller gets the last
    /// outcome unchanged, a response or an error. There is no retry after a wait, such as the
    /// server's `Retry-After`, that exceeds the request's deadline. Cancelling the task ends the
    /// current attempt or wait at once.
    public func retrying(
        _ policy: RetryPolicy = .exponential(), clock: any MoyaClock = .system
    ) -> some Transport {
        RetryingTransport(next: self, policy: policy, clock: clock)
    }
}
