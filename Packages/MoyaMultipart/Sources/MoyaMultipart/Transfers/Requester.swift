import Foundation
@_spi(MoyaInternals) import MoyaCore
import MoyaInternals

/// What one exchange changes about its target's request.
struct RequestChange: Sendable {
    /// Replaces the target's.
    var url: URL?
    /// Replaces the target's.
    var method: MoyaCore.Method?
    var headers: [String: String] = [:]
    /// Replaces the target's task.
    var body: RequestTask.Body?
}

/// Sends a target's request as often as it takes, each time with changes and through the whole provider: its
/// endpoints, plugins, stubs and transport.
struct Requester: Sendable {
    /// The method of the target's own request.
    let method: MoyaCore.Method
    /// The URL of the target's own request, with the query that its task makes.
    let url: String
    private let exchange: @Sendable (RequestChange) async throws(MoyaError) -> UnvalidatedResponse
    private let hasAnswered = Locked(false)

    /// - Parameter policy: Makes the redirect policy of each request out of the target's.
    init<Target>(
        _ target: Target, _ provider: MoyaProvider<Target>,
        redirecting policy: (@Sendable (RedirectPolicy) -> RedirectPolicy)? = nil
    ) {
        let endpoint = provider.endpoint(target)
        method = endpoint.method
        // A request that cannot be made fails where it is sent.
        url = (try? endpoint.urlRequest())?.url?.absoluteString ?? endpoint.url
        exchange = { (change: RequestChange) async throws(MoyaError) -> UnvalidatedResponse in
            try await UnvalidatedResponse(to: target, from: provider) { endpoint in
                endpoint.applying(change).redirecting(policy)
            }
        }
    }

    func send(_ change: RequestChange) async throws(MoyaError) -> UnvalidatedResponse {
        let answer = try await exchange(change)
        hasAnswered.withLock { $0 = true }
        return answer
    }

    /// Whether the same request may do better a little later.
    func isTransient(_ error: MoyaError) -> Bool {
        TransientFailure(error, hasAnswered: hasAnswered.withLock { $0 }) != nil
    }

    /// Waits until the next attempt.
    ///
    /// - Throws: `error` if it is not transient, or where no attempt is left; `CancellationError`.
    func wait(
        after error: MoyaError, _ budget: inout TransferRetry.Budget, by clock: any MoyaClock
    ) async throws {
        guard isTransient(error) else { throw error }
        try await budget.wait(after: error, by: clock)
    }
}

extension RedirectPolicy {
    /// The same policy within an origin. A redirect to another one is a response like any other.
    var withinOrigin: RedirectPolicy {
        limited { head, next in next.url?.hasSameOrigin(as: head.url) ?? false }
    }
}

extension Endpoint {
    /// The same endpoint with a redirect policy made out of its own.
    fileprivate func redirecting(_ policy: ((RedirectPolicy) -> RedirectPolicy)?) -> Endpoint {
        guard let policy else { return self }
        return replacing(task: task.redirecting(policy(task.redirectPolicy)))
    }

    fileprivate func applying(_ change: RequestChange) -> Endpoint {
        let endpoint = adding(newHTTPHeaderFields: change.headers)
        guard change.url != nil || change.method != nil || change.body != nil else {
            return endpoint
        }
        var task = task
        if let body = change.body {
            task = RequestTask(body: body).redirecting(task.redirectPolicy)
        }
        return Endpoint(
            url: change.url?.absoluteString ?? url, sampleResponseClosure: sampleResponseClosure,
            method: change.method ?? method, task: task,
            httpHeaderFields: endpoint.httpHeaderFields, timeoutInterval: timeoutInterval,
            cachePolicy: cachePolicy)
    }
}
