import Foundation
import MoyaCore

/// Repeats a refresh whose request the token endpoint has not processed, with the waits of
/// ``RetryPolicy``.
///
/// A request that may have been processed is not repeated: the server may have replaced the refresh
/// token, and takes a second request with the old one for theft (RFC 9700, section 4.14.2).
struct RefreshRetry: Sendable {
    let clock: any MoyaClock
    var policy = RetryPolicy()

    /// Runs `refresh` until it succeeds or must not be repeated.
    ///
    /// - Parameter isNeeded: Whether requests still wait for the token.
    func run(
        while isNeeded: () -> Bool, _ refresh: () async throws -> AccessToken
    ) async -> Result<AccessToken, TokenRefreshError> {
        policy.budget?.deposit()
        var attempts = 0
        while true {
            let outcome = await Result(of: refresh)
            attempts += 1
            let result = outcome.mapError {
                TokenRefreshError(.failed, cause: $0, attempts: attempts)
            }
            guard case .failure(let error) = outcome, attempts <= policy.maximumRetries,
                let refusal = Refusal(error, at: clock.now),
                let wait = policy.backoff.wait(
                    beforeRetry: attempts, retryAfter: refusal.retryAfter, clock: clock),
                isNeeded(), policy.budget?.withdraw() ?? true,
                (try? await clock.pause(for: wait)) != nil, isNeeded()
            else { return result }
        }
    }
}

/// Error of a token request, with the response's status if there was one.
protocol TokenEndpointError: Error {
    /// Status of the response, or `nil` if no response arrived.
    var statusCode: Int? { get }
    /// The server's `Retry-After`, in seconds.
    var retryAfter: TimeInterval? { get }
}

extension TokenEndpointError {
    /// Whether the server refused the request because of its load.
    var isOverloaded: Bool { statusCode.flatMap(TransientFailure.init(statusCode:)) == .overloaded }
}

/// A failure after which the token endpoint has processed nothing: status 429 or 503, or no
/// connection.
private struct Refusal {
    /// Wait that the server asks for, in seconds.
    var retryAfter: TimeInterval?

    init?(_ error: any Error, at now: Date) {
        if let error = error as? any TokenEndpointError {
            guard error.isOverloaded else { return nil }
            retryAfter = error.retryAfter
        } else if let response = (error as? MoyaError)?.response {
            guard TransientFailure(statusCode: response.statusCode) == .overloaded else {
                return nil
            }
            retryAfter = response.head?.retryAfter(at: now)
        } else {
            guard TransientFailure(error) == .unreachable else { return nil }
        }
    }
}
