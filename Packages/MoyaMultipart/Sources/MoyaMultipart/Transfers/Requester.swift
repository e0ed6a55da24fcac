import Foundation
@_spi(MoyaInternals) import MoyaCore
import MoyaInternals

/// Changes to a target's request for a single exchange.
struct RequestChange: Sendable {
    /// URL that replaces the target's.
    var url: URL?
    /// Method that replaces the target's.
    var method: MoyaCore.Method?
    /// Header fields to add.
    var headers: [String: String] = [:]
    /// Body that replaces the target's task.
    var body: RequestTask.Body?
}

/// Sends a target's request any number of times, each time with changes. Every request passes
/// through the provider's endpoint closure, plugins, stubs and transport.
struct Requester: Sendable {
    /// Method of the target's request.
    let method: MoyaCore.Method
    /// URL of the target's request, including the query parameters of its task.
    let url: String
    private let exchange: @Sendable (RequestChange) async throws(MoyaError) -> StreamingResponse
    private let hasAnswered = Locked(false)

    /// - Parameter policy: Derives each request's redirect policy from the target's.
    init<Target>(
        _ target: Target, _ provider: MoyaProvider<Target>,
        redirecting policy: (@Sendable (RedirectPolicy) -> RedirectPolicy)? = nil
    ) {
        let endpoint = provider.endpoint(target)
        method = endpoint.method
        // An invalid request fails when it is sent.
        url = (try? endpoint.urlRequest())?.url?.absoluteString ?? endpoint.url
        exchange = { (change: RequestChange) async throws(MoyaError) -> StreamingResponse in
            try await provider.unvalidatedStream(target) { endpoint in
                endpoint.applying(change).redirecting(policy)
            }
        }
    }

    /// Sends the target's request with the changes.
    func send(_ change: RequestChange) async throws(MoyaError) -> StreamingResponse {
        let answer = try await exchange(change)
        hasAnswered.withLock { $0 = true }
        return answer
    }

    /// Whether a later attempt at the same request may succeed. A failed TLS handshake counts if
    /// the server has answered before.
    func isTransient(_ error: MoyaError) -> Bool {
        TransientFailure(error, hasAnswered: hasAnswered.withLock { $0 }) != nil
    }

    /// Waits before the next attempt.
    ///
    /// - Throws: `error` if it is not transient or no attempts are left; `CancellationError`.
    func wait(
        after error: MoyaError, _ budget: inout TransferRetry.Budget, by clock: any MoyaClock
    ) async throws {
        guard isTransient(error) else { throw error }
        try await budget.wait(after: error, by: clock)
    }
}

extension RedirectPolicy {
    /// The same policy, limited to redirects within an origin. A redirect to another origin is
    /// returned as a response.
    var withinOrigin: RedirectPolicy {
        limited { head, next in next.url?.origin == head.url.origin }
    }
}

extension Endpoint {
    /// Returns the endpoint with the redirect policy that `policy` derives from the endpoint's.
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
