import Foundation
import MoyaCore

/// The wait for a network path before a request is sent again.
struct ConnectivityWait: Sendable {
    let limit: TimeInterval
    let waitForPath: @Sendable () async throws -> Void

    /// Waits until there is a network path after `outcome`, if that is an error of the network.
    ///
    /// - Parameter remaining: Time that the policy leaves for the wait, in seconds. `nil` means
    ///   no limit other than that of the wait.
    /// - Returns: Whether another attempt may succeed. `false` if the time is over.
    /// - Throws: `URLError(.cancelled)` if the task is cancelled.
    func isPathAvailable(
        after outcome: Result<TransportResponse, any Error>, of request: TransportRequest,
        within remaining: TimeInterval?, clock: any MoyaClock
    ) async throws(URLError) -> Bool {
        // A response came over a path, and a server on this machine needs none.
        guard case .failure = outcome, request.urlRequest.url?.isOnThisMachine != true else {
            return true
        }
        let limit = min(limit, remaining ?? .infinity)
        let isAvailable = await withTaskGroup(of: Bool.self) { group in
            group.addTask { (try? await waitForPath()) != nil }
            if limit.isFinite {
                group.addTask {
                    try? await clock.sleep(for: limit)
                    return false
                }
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
        guard !Task.isCancelled else { throw URLError(.cancelled) }
        return isAvailable
    }
}

extension RetryPolicy {
    /// Returns this policy with a wait for a network path before each retry after an error of the
    /// network: a device without a network sends nothing, and continues when it is back.
    ///
    /// ```swift
    /// let transport = CurlTransport().retrying(.exponential().waitingForConnectivity())
    /// ```
    ///
    /// Whether and how often a request is sent again is decided as before: the wait precedes the
    /// pause of ``backoff``, and is part of ``totalTimeout``. There is no wait after a response,
    /// for a server on this machine, or while there is a path.
    ///
    /// - Parameters:
    ///   - limit: Longest wait, in seconds. The caller then gets the error of the last attempt.
    ///   - waitForPath: Returns when there is a network path, and at once if there is one. If it
    ///     throws, the request is not sent again. Must end when its task is cancelled. By default
    ///     the system's ``NetworkPath``. A test passes its own.
    public func waitingForConnectivity(
        upTo limit: TimeInterval = 60,
        _ waitForPath: @escaping @Sendable () async throws -> Void = NetworkPath.wait
    ) -> RetryPolicy {
        var policy = self
        policy.connectivity = ConnectivityWait(limit: limit, waitForPath: waitForPath)
        return policy
    }
}
