import Foundation
import MoyaCore

/// A layer that sends a slow request a second time and uses the first good response.
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

    var sessionHeaders: [String: String] { next.sessionHeaders }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard Self.mayDouble(request), case .memory = request.destination,
            request.deadline.map({ delay < $0.remaining }) ?? true
        else {
            return try await next.send(request)
        }
        budget?.deposit()
        return try await withThrowingTaskGroup(of: Event?.self) { group in
            defer { group.cancelAll() }
            group.addTask { .finished(await attempt(request)) }
            group.addTask {
                // The group cancels the sleep once a response has won.
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
                    // Only the first request reports progress: the progress of two requests cannot
                    // be merged.
                    var second = request.withoutCallbacks()
                    second.context.resendCount += 1
                    group.addTask { [second] in .finished(await attempt(second)) }
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

    /// Whether the server may receive the request twice concurrently.
    private static func mayDouble(_ request: TransportRequest) -> Bool {
        request.body.isReplayable
            && (request.context.isRetryable ?? HTTPMethod(rawValue: request.method).isSafe)
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
    /// Wraps this transport in a layer that sends a request a second time if it has no response
    /// after `delay` seconds, and uses the first good response. Choose a delay slightly above the
    /// 95th percentile of the response times.
    ///
    /// Hedging cuts the slowest few percent at the price of additional load, which a
    /// ``RetryBudget`` bounds. Only safe requests are hedged (RFC 9110, section 9.2.1: GET, HEAD,
    /// OPTIONS, TRACE, and QUERY), unless their target is a ``RetryableTarget``, which decides
    /// itself. Idempotent methods that change a resource are excluded: they may be repeated, but
    /// two concurrent changes race. The response must go to memory. The losing request is
    /// cancelled.
    ///
    /// An error, or a status of 500 and above, does not win while the other request is pending. If
    /// both fail, the caller gets the first outcome.
    ///
    /// - Parameters:
    ///   - delay: Time before the second request, in seconds. With 0 or less both are sent at once.
    ///   - budget: Bounds the number of second requests. `nil` means no bound.
    public func hedging(
        after delay: TimeInterval, budget: RetryBudget? = RetryBudget(ratio: 0.1),
        clock: any MoyaClock = .system
    ) -> some Transport {
        HedgingTransport(next: self, delay: delay, budget: budget, clock: clock)
    }
}
