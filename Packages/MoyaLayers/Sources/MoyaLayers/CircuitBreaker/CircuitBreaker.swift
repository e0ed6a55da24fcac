import Foundation
import MoyaCore
import MoyaInternals

/// A server failed so often that it is left alone for a while. Nothing was sent.
public struct CircuitOpenError: Error, Equatable, LocalizedError {
    /// The scheme, host and port of the server.
    public let origin: String
    /// After how many seconds a request is let through again.
    public let retryAfter: TimeInterval

    struct Wait: Error {
        let seconds: TimeInterval
    }

    public var errorDescription: String? {
        "\(origin) failed too often and is left alone. The next request is let through in "
            + "\(retryAfter.rounded(.up).whole) s."
    }
}

/// Remembers how servers do, each by its scheme, host and port, and leaves those alone that fail.
///
/// When too many of the last requests failed, none is let through for a while; then one is, and how it
/// does decides about the others. Share one between transports that reach the same servers.
public final class CircuitBreaker: Sendable {
    /// When a server is left alone, and for how long.
    public struct Policy: Sendable {
        /// How many of the last requests have to fail, as a fraction: 0.5 is half of them. With 0 one does, and more
        /// than 1 is never.
        public var failureRatio = 0.5
        /// How many requests are looked back at. With fewer than ``minimumCalls``, no server is ever left alone.
        public var window = 20
        /// The fewest requests after which a server may be left alone.
        public var minimumCalls = 5
        /// For how long nothing is sent, in seconds. With 0, the next request is the one that decides.
        public var pause: TimeInterval = 30
        /// What counts as a failure. By default 500, 502, 503 and 504, and an error of the exchange: one of the
        /// request, of this machine or of a layer says nothing about the server, and is not counted at all.
        public var isFailure: @Sendable (Result<TransportResponse, any Error>) -> Bool = {
            outcome in
            guard case .success(let response) = outcome else { return true }
            return [500, 502, 503, 504].contains(response.head.statusCode)
        }

        /// Leaves a server alone for 30 seconds once half of the last 20 requests have failed, and of five at least.
        public init() {}
    }

    private let policy: Policy
    private let clock: any MoyaClock
    private let states = Locked(States())

    /// What is known of each server.
    private struct States {
        var byOrigin: [String: CircuitState] = [:]
        /// With more servers than this, those without requests for a while are forgotten.
        var limit = 1000
    }

    /// Knows nothing of any server yet, and lets every request through.
    public init(_ policy: Policy = Policy(), clock: any MoyaClock = .system) {
        self.policy = policy
        self.clock = clock
    }

    /// Lets a request through that ``report(_:_:_:)`` is told the outcome of.
    func admit(_ origin: String) throws(CircuitOpenError) -> CircuitState.Pass {
        let now = clock.uptime
        let verdict = states.withLock { [policy] states in
            if states.byOrigin.count >= states.limit, states.byOrigin[origin] == nil {
                states.byOrigin = states.byOrigin.filter { !$1.isForgettable(now: now, policy) }
                // Not each time, should there be as many that are in use.
                states.limit = max(1000, 2 * states.byOrigin.count)
            }
            return states.byOrigin[origin, default: CircuitState()].admit(now: now)
        }
        switch verdict {
        case .success(let pass): return pass
        case .failure(let wait):
            throw CircuitOpenError(origin: origin, retryAfter: wait.seconds)
        }
    }

    /// How many servers it knows.
    var originCount: Int { states.withLock { $0.byOrigin.count } }

    /// Returns what a later report on the same request is to be made with.
    @discardableResult
    func report(
        _ outcome: Result<TransportResponse, any Error>, _ pass: CircuitState.Pass, _ origin: String
    ) -> CircuitState.Pass {
        let isFailure = outcome.isOfOwnMaking ? nil : policy.isFailure(outcome)
        let now = clock.uptime
        return states.withLock { [policy] states in
            states.byOrigin[origin]?
                .report(pass, isFailure: isFailure, policy: policy, now: now) ?? pass
        }
    }
}

extension Result where Success == TransportResponse, Failure == any Error {
    /// Whether it says nothing about the server: the caller has left, or this side could not go on.
    var isOfOwnMaking: Bool {
        guard case .failure(let error) = self else { return false }
        guard let error = error as? URLError else { return true }
        return [
            .cancelled, .userCancelledAuthentication, .badURL, .unsupportedURL,
            .resourceUnavailable,
            .requestBodyStreamExhausted, .dataLengthExceedsMaximum, .cannotCreateFile,
            .cannotOpenFile, .cannotWriteToFile, .cannotCloseFile, .cannotRemoveFile,
            .cannotMoveFile, .fileDoesNotExist, .fileIsDirectory, .noPermissionsToReadFile,
            .notConnectedToInternet,
        ].contains(error.code)
    }
}

extension Transport {
    /// This transport, sending nothing for a while to servers that `breaker` has seen fail too often: requests fail with a
    /// ``CircuitOpenError`` then.
    ///
    /// Put it around the layer that bounds a request's time: `.timingOut(after: 10).breakingCircuit()`. A time limit
    /// outside of it cancels the request, as a caller does who has lost interest, and that says nothing about the
    /// server: one that never answers would never be left alone.
    public func breakingCircuit(
        with breaker: CircuitBreaker = CircuitBreaker()
    ) -> some Transport {
        Layer { request in
            let origin = request.origin
            let pass = try breaker.admit(origin)
            let outcome = await Result(of: { try await send(request) })
            // The end of a stream is not waited for: it counts as a success now, and as a failure if it breaks off.
            let nextPass = breaker.report(outcome, pass, origin)
            let response = try outcome.get()
            response.whenOver { end in
                if case .failure = end { breaker.report(end, nextPass, origin) }
            }
            return response
        }
    }
}
