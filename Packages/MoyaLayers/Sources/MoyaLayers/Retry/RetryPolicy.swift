import Foundation
@_spi(MoyaInternals) import MoyaCore

/// A target that states whether its request may be sent again.
///
/// Return `true` for a POST that the server can receive twice without harm, and `false` for a GET
/// with side effects.
public protocol RetryableTarget: TargetType {
    /// Whether the request may be sent again. Overrides what its method allows.
    var isRetryable: Bool { get }
}

/// Decision of a retry policy after an attempt.
public enum RetryDecision: Sendable, Equatable {
    /// Finish: the caller gets the outcome of this attempt.
    case finish
    /// Send another attempt after this many seconds.
    case retry(after: TimeInterval)
}

/// A finished attempt, with the data for the decision about the next.
public struct RetryAttempt: Sendable {
    /// Number of the attempt, counted from 1.
    public let number: Int
    /// The request that was sent.
    public let request: TransportRequest
    /// The response or the error.
    public let outcome: Result<TransportResponse, any Error>
    /// Time since the call began, in seconds.
    public let elapsed: TimeInterval
    /// The policy's default decision.
    public let proposal: RetryDecision
    /// The wait that the policy computed or the server asks for, in seconds, even if the policy
    /// does not propose a retry.
    public let proposedDelay: TimeInterval
}

/// Decides if, when and how often a request is sent again.
///
/// By default a request is retried
/// - after status 408, 429, 500, 502, 503 or 504, a timeout or a lost connection, if its method is
///   idempotent (RFC 9110, section 9.2.2), it has an `Idempotency-Key`, or its target is a
///   ``RetryableTarget`` that allows it;
/// - after the server of its URL could not be resolved or reached, for any method, because no part
///   of the request was sent. The error's failing URL distinguishes that server from the target of
///   a redirect. A ``RetryableTarget`` may forbid it.
///
/// A request whose body cannot be replayed (`RequestBody.isReplayable`) is never retried.
public struct RetryPolicy: Sendable {
    /// Decides what follows an attempt. Must not block.
    public typealias Decision = @Sendable (RetryAttempt) -> RetryDecision

    /// Maximum number of retries after the first attempt.
    public var maximumRetries: Int
    /// Waits between attempts. A response that asks for a longer wait than
    /// `Backoff.maximumRetryAfter` goes to the caller.
    public var backoff: Backoff
    /// Timeout of one attempt, in seconds: until the response's head if its body is a stream. `nil`
    /// means no timeout for an attempt.
    public var attemptTimeout: TimeInterval?
    /// Timeout of all attempts and waits together, in seconds. `nil` means no timeout.
    public var totalTimeout: TimeInterval?
    /// Bounds the load of retries. `nil` means no bound.
    public var budget: RetryBudget?
    /// Makes the final decision: see ``deciding(_:)``. With `nil`, the proposal is the decision.
    var decision: Decision?
    /// Waits for a network path before a retry: see ``waitingForConnectivity(upTo:_:)``.
    var connectivity: ConnectivityWait?

    /// - Parameters:
    ///   - maximumRetries: Maximum number of retries after the first attempt. With 0 or less
    ///     nothing is sent again.
    ///   - budget: By default a new budget. Pass one budget to several policies to share it, or
    ///     `nil` for no bound.
    public init(
        maximumRetries: Int = 2, backoff: Backoff = Backoff(), budget: RetryBudget? = RetryBudget()
    ) {
        self.maximumRetries = maximumRetries
        self.backoff = backoff
        self.budget = budget
    }

    /// Returns a policy with exponential backoff and a new budget of 20 % additional requests.
    public static func exponential(
        maximumRetries: Int = 2, base: TimeInterval = 0.5, limit: TimeInterval = 30
    ) -> RetryPolicy {
        RetryPolicy(
            maximumRetries: maximumRetries, backoff: Backoff(base: base, limit: limit))
    }

    /// Returns this policy with `decision` in place of the default decision. It decides within
    /// ``maximumRetries``, ``totalTimeout`` and ``budget``, and gets the response, for services
    /// that report a failure in a body with status 200.
    public func deciding(_ decision: @escaping Decision) -> RetryPolicy {
        var policy = self
        policy.decision = decision
        return policy
    }
}

extension RetryPolicy {
    /// Whether a request may be sent again after this outcome: the failure is transient, and a
    /// second attempt is safe.
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
                return request.context.isRetryable
                    ?? (mayRepeat(request) || isOfFirstHop(error, request))
            case .interrupted: return mayRepeat(request)
            case .overloaded, .retryableStatus, nil: return false
            }
        }
    }

    /// Whether `error` occurred before any redirect. After a redirect, the first server may already
    /// have processed the request. URLs in errors have no secrets, so the comparison omits them.
    private static func isOfFirstHop(_ error: any Error, _ request: TransportRequest) -> Bool {
        let named = (error as NSError).userInfo[NSURLErrorFailingURLErrorKey] as? URL
        guard let named, let asked = request.urlRequest.url else { return false }
        return named.withoutSecrets == asked.withoutSecrets
    }

    /// Whether the server may receive the request twice.
    static func mayRepeat(_ request: TransportRequest) -> Bool {
        guard request.body.isReplayable else { return false }
        return request.context.isRetryable
            ?? (request.value(for: "Idempotency-Key") != nil
                || HTTPMethod(rawValue: request.method).isIdempotent)
    }
}

extension RequestContext {
    /// Whether the request may be sent again, whatever its method. `nil` leaves that to the method.
    ///
    /// By default that of a target that is a ``RetryableTarget``.
    public var isRetryable: Bool? {
        get { self[RetryableKey.self] }
        set { self[RetryableKey.self] = newValue }
    }
}

private enum RetryableKey: RequestContextKey {
    static func value(for target: (any TargetType)?) -> Bool? {
        (target as? any RetryableTarget)?.isRetryable
    }
}
