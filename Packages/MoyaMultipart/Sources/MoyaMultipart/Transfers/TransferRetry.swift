import Foundation
import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// How often and how soon what the network broke is tried again.
public struct TransferRetry: Sendable, Equatable {
    /// How many attempts in a row may bring nothing new.
    public var attempts: Int
    /// Seconds before the first repetition. Twice as many before each one that follows.
    public var delay: TimeInterval
    /// The most seconds between two attempts.
    public var maximumDelay: TimeInterval

    public init(
        attempts: Int = 5, delay: TimeInterval = 0.5, maximumDelay: TimeInterval = 30
    ) {
        self.attempts = attempts
        self.delay = delay
        self.maximumDelay = maximumDelay
    }

    /// What is left of the attempts, without any I/O.
    struct Budget {
        let retry: TransferRetry
        private(set) var failures = 0

        init(_ retry: TransferRetry) { self.retry = retry }

        /// Something has come or gone: from here on it counts anew.
        mutating func progressed() { failures = 0 }

        /// Seconds until the next attempt. `nil` if there is none.
        ///
        /// - Parameter chance: From 0 to 1. Of many clients that failed together, not all come back together.
        mutating func pause(
            retryAfter: TimeInterval? = nil, chance: Double = .random(in: 0...1)
        ) -> TimeInterval? {
            failures += 1
            guard failures < retry.attempts else { return nil }
            let longest = min(
                retry.maximumDelay, retry.delay * pow(2, Double(min(failures, 32) - 1)))
            let pause = longest * (0.5 + chance / 2)
            return max(0, max(pause, min(retryAfter ?? 0, retry.maximumDelay)))
        }
    }
}

extension MoyaError {
    static let temporaryStatuses: Set = [408, 429, 500, 502, 503, 504]

    /// Whether the same request may do better a little later, and how much later the server says, if it does.
    var mayPass: (isTemporary: Bool, retryAfter: TimeInterval?) {
        guard case .underlying(let error, let response) = self else { return (false, nil) }
        if let error = error as? URLError { return (error.isTemporary, nil) }
        guard let response, Self.temporaryStatuses.contains(response.statusCode) else {
            return (false, nil)
        }
        return (true, response.header("Retry-After").flatMap(TimeInterval.init))
    }
}

extension URLError {
    fileprivate var isTemporary: Bool {
        switch code {
        case .networkConnectionLost, .timedOut, .cannotConnectToHost, .cannotFindHost,
            .dnsLookupFailed, .notConnectedToInternet, .internationalRoamingOff,
            .dataNotAllowed, .callIsActive:
            true
        default: false
        }
    }
}

/// Waits. Cancelling the task ends the wait with an error.
func pause(_ seconds: TimeInterval) async throws {
    guard seconds > 0, seconds.isFinite else { return try Task.checkCancellation() }
    try await Task.sleep(nanoseconds: UInt64(min(seconds, 1e6) * 1e9))
}
