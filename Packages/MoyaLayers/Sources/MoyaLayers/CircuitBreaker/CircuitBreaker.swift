import Foundation
import MoyaCore
import MoyaInternals

/// A request was not sent because its server failed too often, so the circuit is open.
public struct CircuitOpenError: Error, Equatable, LocalizedError {
    /// The scheme, host and port of the server.
    public let origin: String
    /// Time until the next request is let through, in seconds.
    public let retryAfter: TimeInterval

    /// The origin, and the time until the next request is let through.
    public var errorDescription: String? {
        "Circuit open for \(origin): too many recent failures. The next request is allowed in "
            + "\(retryAfter.rounded(.up).whole) s."
    }
}

/// A circuit breaker: stops calling a failing server for a while. Each scheme, host and port has a
/// separate circuit.
///
/// If too many of the last requests failed, the circuit opens, and requests fail at once. After a
/// pause one request is let through, and its outcome closes the circuit or opens it again. Share
/// one breaker between transports that reach the same servers.
public final class CircuitBreaker: Sendable {
    /// When a circuit opens, and for how long.
    public struct Policy: Sendable {
        /// Fraction of the last ``window`` requests that must fail: 0.5 is half of them. With 0 a
        /// single failure suffices. With more than 1 no circuit opens.
        public var failureRatio = 0.5
        /// Number of recent requests that are considered. If it is less than ``minimumCalls``, no
        /// circuit opens.
        public var window = 20
        /// Minimum number of requests before a circuit can open.
        public var minimumCalls = 5
        /// Time for which a circuit stays open, in seconds. With 0 the next request is the probe.
        public var pause: TimeInterval = 30
        /// Whether an outcome is a failure. By default 500, 502, 503 and 504 are failures, and so
        /// are errors. Errors of the request, of the client's system or of a layer do not indicate
        /// a failure of the server: they are not counted, and not passed to this closure.
        public var isFailure: @Sendable (Result<TransportResponse, any Error>) -> Bool = {
            outcome in
            guard case .success(let response) = outcome else { return true }
            return response.head.isServerFailure
        }

        /// Creates the default policy: a circuit opens for 30 seconds after half of the last 20
        /// requests have failed, with at least 5 requests.
        public init() {}
    }

    private let policy: Policy
    private let clock: any MoyaClock
    private let states = Locked(States())

    /// State of the known servers.
    private struct States {
        var byOrigin: [String: CircuitState] = [:]
        /// Number of servers above which idle circuits are removed.
        var limit = 1000
    }

    /// Creates a circuit breaker whose circuits are closed.
    public init(_ policy: Policy = Policy(), clock: any MoyaClock = .system) {
        self.policy = policy
        self.clock = clock
    }

    /// Lets a request through, or throws if the circuit is open. The outcome must be passed to
    /// ``report(_:_:_:)``.
    func admit(_ origin: String) throws(CircuitOpenError) -> CircuitState.Pass {
        let now = clock.uptime
        return try states.withLock { [policy] states in
            if states.byOrigin.count >= states.limit, states.byOrigin[origin] == nil {
                states.byOrigin = states.byOrigin.filter { !$1.isForgettable(now: now, policy) }
                // Without this, every request would filter again while that many servers are in
                // use.
                states.limit = max(1000, 2 * states.byOrigin.count)
            }
            return states.byOrigin[origin, default: CircuitState()].admit(origin, now: now)
        }.get()
    }

    /// Number of known servers.
    var originCount: Int { states.withLock { $0.byOrigin.count } }

    /// Reports the outcome of a request. Returns the pass for a later report on the same request.
    func report(
        _ outcome: Result<TransportResponse, any Error>, _ pass: CircuitState.Pass, _ origin: String
    ) -> CircuitState.Pass {
        let isFailure = outcome.isOfOwnMaking ? nil : policy.isFailure(outcome)
        let now = clock.uptime
        return states.withLock { [policy] states in
            states.byOrigin[origin]?
                .report(pass, isFailure: isFailure, policy: policy, now: now)
                ?? CircuitState.Pass(era: pass.era)
        }
    }
}

extension Result where Success == TransportResponse, Failure == any Error {
    /// Whether the outcome is independent of the server: the request was cancelled, or failed on
    /// the client's side.
    var isOfOwnMaking: Bool {
        guard case .failure(let error) = self else { return false }
        guard let error = error as? URLError else { return true }
        let deadline = error.userInfo[NSUnderlyingErrorKey] as? DeadlineError
        return deadline?.wasSent == false
            || [
                .cancelled, .userCancelledAuthentication, .badURL, .unsupportedURL,
                .resourceUnavailable,
                .requestBodyStreamExhausted, .dataLengthExceedsMaximum, .cannotCreateFile,
                .cannotOpenFile, .cannotWriteToFile, .cannotCloseFile, .cannotRemoveFile,
                .cannotMoveFile, .fileDoesNotExist, .fileIsDirectory, .noPermissionsToReadFile,
                .notConnectedToInternet,
            ].contains(error.code)
    }
}

extension CircuitState.Pass {
    /// Reports the change of the circuit, if there is one, to the observer of `request`.
    fileprivate func reportChange(of origin: String, to request: TransportRequest) {
        guard let change else { return }
        let state: ExchangeEvent.CircuitState =
            switch change {
            case .closed: .closed
            case .open: .open
            case .probing: .halfOpen
            }
        request.observer?(.circuit(origin: origin, state))
    }
}

extension Transport {
    /// Wraps this transport in a layer that stops calling servers which fail too often. While a
    /// circuit is open, requests fail with a ``CircuitOpenError``.
    ///
    /// Put it around the layer that sets the timeout of an attempt:
    /// `.timingOut(after: 10).breakingCircuit()`. A request that ends at its deadline counts as a
    /// failure. A timeout outside the circuit breaker cancels a streamed request before its head,
    /// and cancelled requests do not count.
    public func breakingCircuit(
        with breaker: CircuitBreaker = CircuitBreaker()
    ) -> some Transport {
        Layer(around: self) { request in
            let origin = request.origin
            if let deadline = request.deadline, deadline.hasPassed {
                throw deadline.error(url: request.urlRequest.url, wasSent: false)
            }
            let pass = try breaker.admit(origin)
            pass.reportChange(of: origin, to: request)
            let outcome = await Result(of: { try await send(request) })
            // A stream counts as a success once its head arrives, and as a failure too if it breaks
            // off later.
            let nextPass = breaker.report(outcome, pass, origin)
            nextPass.reportChange(of: origin, to: request)
            let response = try outcome.get()
            response.whenEnded { end in
                guard case .failure = end else { return }
                breaker.report(end, nextPass, origin).reportChange(of: origin, to: request)
            }
            return response
        }
    }
}
