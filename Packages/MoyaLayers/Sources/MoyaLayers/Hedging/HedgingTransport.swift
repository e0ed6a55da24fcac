import Foundation
import MoyaCore

/// Sends a slow request once more, and takes what comes first.
private struct HedgingTransport: Transport {
    let next: any Transport
    let delay: TimeInterval
    let budget: RetryBudget?
    let clock: any MoyaClock

    private typealias Outcome = Result<TransportResponse, any Error>

    private enum Event: Sendable {
        case finished(Outcome)
        case slow
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard Self.mayDouble(request), case .memory = request.destination else {
            return try await next.send(request)
        }
        budget?.deposit()
        return try await withThrowingTaskGroup(of: Event?.self) { group in
            defer { group.cancelAll() }
            group.addTask { .finished(await attempt(request)) }
            group.addTask {
                // Cancelled with the rest once there is a winner.
                do { try await clock.sleep(for: delay) } catch { return nil }
                return .slow
            }
            var runningCount = 1
            var first: Outcome?
            while let event = try await group.next() {
                switch event {
                case nil: continue
                case .slow:
                    guard runningCount > 0, budget?.withdraw() ?? true else { continue }
                    runningCount += 1
                    // The progress of two exchanges could not be told apart.
                    let second = request.withoutObservers()
                    group.addTask { .finished(await attempt(second)) }
                case .finished(let outcome):
                    runningCount -= 1
                    first = first ?? outcome
                    if outcome.isGood || runningCount == 0 {
                        return try (outcome.isGood ? outcome : first ?? outcome).get()
                    }
                }
            }
            throw URLError(.cancelled)
        }
    }

    /// Whether the server may get the request twice at the same time.
    private static func mayDouble(_ request: TransportRequest) -> Bool {
        request.body.isReplayable
            && (request.targetAllowsRetry ?? HTTPMethod(rawValue: request.method).isSafe)
    }

    private func attempt(_ request: TransportRequest) async -> Outcome {
        await Outcome(of: { try await next.send(request) })
    }
}

extension Result where Success == TransportResponse, Failure == any Error {
    fileprivate var isGood: Bool {
        guard case .success(let response) = self else { return false }
        return response.head.statusCode < 500
    }
}

extension Transport {
    /// This transport, sending a request once more when it has not been answered after `delay` seconds: a
    /// little more than what nineteen of twenty requests take. What comes first is the response.
    ///
    /// It cuts off the slowest few percent at the price of some more load, which a ``RetryBudget`` bounds. Only
    /// safe requests are hedged (RFC 9110, section 9.2.1: GET, HEAD, OPTIONS, TRACE, and QUERY), and those
    /// whose target is a ``RetryableTarget`` that says yes: what changes something may be repeated, but two of
    /// it at once race each other. The response has to go to memory. The loser is cancelled.
    ///
    /// An error, or a status of 500 and above, does not win while another request is on its way. Where both
    /// are bad, the caller gets the first.
    ///
    /// - Parameters:
    ///   - delay: With 0 or less, both are sent at once.
    ///   - budget: Bounds how many are sent twice. `nil` means no bound.
    public func hedging(
        after delay: TimeInterval, budget: RetryBudget? = RetryBudget(ratio: 0.1),
        clock: any MoyaClock = .system
    ) -> some Transport {
        HedgingTransport(next: self, delay: delay, budget: budget, clock: clock)
    }
}
