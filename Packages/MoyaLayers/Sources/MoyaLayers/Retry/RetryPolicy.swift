import Foundation
@_spi(MoyaInternals) import MoyaCore

/// A target that says itself whether its request may be sent again.
///
/// Say yes to a POST that the server takes twice without harm, no to a GET that does something.
public protocol RetryableTarget: TargetType {
    /// Whether an attempt that may have reached the server can be followed by another.
    var isRetryable: Bool { get }
}

/// What comes after an attempt.
public enum RetryDecision: Sendable, Equatable {
    /// The caller gets this outcome.
    case finish
    /// Another attempt, after this many seconds.
    case retry(after: TimeInterval)
}

/// An attempt that is over, for the decision about the next.
public struct RetryAttempt: Sendable {
    /// Counted from 1.
    public let number: Int
    /// What was sent.
    public let request: TransportRequest
    /// What came of it.
    public let outcome: Result<TransportResponse, any Error>
    /// Seconds since the call began.
    public let elapsed: TimeInterval
    /// What the policy would do.
    public let proposal: RetryDecision
    /// How long the policy would wait, even where it would not retry.
    public let proposedDelay: TimeInterval
}

/// Whether, when and how often a request is sent again.
///
/// By default a request is retried
/// - after 408, 429, 500, 502, 503 and 504, a timeout or a lost connection, if its method is
///   idempotent (RFC 9110, section 9.2.2), it has an `Idempotency-Key`, or its target is a
///   ``RetryableTarget`` that says yes;
/// - after a failure to find or to reach the server it was made for, whatever its method: nothing had been
///   sent. The error's failing URL tells that server from one that was redirected to.
///
/// A body that cannot be sent again (`RequestBody.isReplayable`) is never retried.
public struct RetryPolicy: Sendable {
    /// Decides what comes after an attempt. Must not block.
    public typealias Decision = @Sendable (RetryAttempt) -> RetryDecision

    /// How often a request is sent again, at most.
    public var maximumRetries: Int
    /// How long to wait in between.
    public var backoff: Backoff
    /// The longest wait a server may ask for with `Retry-After`, in seconds. The response to one that
    /// asks for more goes to the caller.
    public var maximumRetryAfter: TimeInterval = 60
    /// How long one attempt may take, in seconds: until the response's head, where its body is a stream. `nil` means
    /// no limit of its own.
    public var attemptTimeout: TimeInterval?
    /// How long all attempts and waits may take, in seconds. `nil` means no limit.
    public var totalTimeout: TimeInterval?
    /// Bounds the load that retries make. `nil` means no bound.
    public var budget: RetryBudget?
    /// Has the last word on whether and when to retry, within the limits above. It sees the response,
    /// for services that say "try again" in a body with status 200.
    public var decision: Decision = { $0.proposal }

    /// - Parameters:
    ///   - maximumRetries: Beside the first attempt. 0 or less sends nothing again.
    ///   - budget: One of its own unless you say otherwise. Pass the same one to share it, `nil` for no bound.
    public init(
        maximumRetries: Int = 2, backoff: Backoff = Backoff(), budget: RetryBudget? = RetryBudget()
    ) {
        self.maximumRetries = maximumRetries
        self.backoff = backoff
        self.budget = budget
    }

    /// Retries with waits that grow exponentially, and a budget of its own of 20 % more requests.
    public static func exponential(
        maximumRetries: Int = 2, base: TimeInterval = 0.5, limit: TimeInterval = 30
    ) -> RetryPolicy {
        RetryPolicy(
            maximumRetries: maximumRetries, backoff: Backoff(base: base, limit: limit))
    }

    /// The same policy with another way to decide.
    public func deciding(_ decision: @escaping Decision) -> RetryPolicy {
        var policy = self
        policy.decision = decision
        return policy
    }
}

extension RetryPolicy {
    /// Whether a request may be sent again after this outcome: the failure is transient, and to send it twice does no harm.
    static func mayRetry(
        _ request: TransportRequest, after outcome: Result<TransportResponse, any Error>
    ) -> Bool {
        switch outcome {
        case .success(let response):
            return TransientFailure(statusCode: response.head.statusCode) != nil
                && mayRepeat(request)
        case .failure(let error):
            switch TransientFailure(error) {
            case .unreachable:
                return request.targetAllowsRetry
                    ?? (mayRepeat(request) || isOfFirstHop(error, request))
            case .interrupted: return mayRepeat(request)
            case .retryableStatus, nil: return false
            }
        }
    }

    /// Whether `error` came before any redirect: one that came after it says nothing about what the first
    /// server did. Errors name their URL without its secrets.
    private static func isOfFirstHop(_ error: any Error, _ request: TransportRequest) -> Bool {
        let named = (error as NSError).userInfo[NSURLErrorFailingURLErrorKey] as? URL
        guard let named, let asked = request.urlRequest.url else { return false }
        return named.withoutSecrets == asked.withoutSecrets
    }

    /// Whether the server may get the request twice.
    static func mayRepeat(_ request: TransportRequest) -> Bool {
        guard request.body.isReplayable else { return false }
        return request.targetAllowsRetry
            ?? (request.value(for: "Idempotency-Key") != nil
                || HTTPMethod(rawValue: request.method).isIdempotent)
    }
}

extension TransportRequest {
    /// What the target says about sending the request again. `nil` where it is no ``RetryableTarget``.
    var targetAllowsRetry: Bool? { (innerTarget as? any RetryableTarget)?.isRetryable }
}
