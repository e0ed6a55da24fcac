import Foundation
@_spi(MoyaInternals) import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

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

/// What came back: a response to read, whatever the target's validation says of its status.
struct Answer: Sendable {
    let head: ResponseHead
    let body: ResponseBodyStream
    /// What the target's validation has to say.
    let refusal: MoyaError?

    var statusCode: Int { head.statusCode }

    /// The error for a status that is of no use.
    func unusable() async -> MoyaError {
        if let refusal { return refusal }
        let data = await body.beginning(1 << 20)
        let response = Response(
            statusCode: statusCode, data: data, response: head.urlResponse)
        return .underlying(MoyaError.statusCode(response), response)
    }
}

/// Sends a target's request as often as it takes, each time with changes and through the whole provider: its
/// endpoints, plugins, stubs and transport.
struct Requester: Sendable {
    /// The method of the target's own request.
    let method: MoyaCore.Method
    /// The URL of the target's own request, with the query that its task makes.
    let url: String
    private let exchange: @Sendable (RequestChange) async throws(MoyaError) -> Answer
    private let hasAnswered = Locked(false)

    /// - Parameter change: Makes the redirect policy of each request out of the target's.
    init<Target>(
        _ target: Target, _ provider: MoyaProvider<Target>,
        redirecting change: (@Sendable (RedirectPolicy) -> RedirectPolicy)? = nil
    ) {
        let transport: any Transport =
            change.map { PolicyTransport(base: provider.transport, change: $0) }
            ?? provider.transport
        let endpoint = provider.endpoint(target)
        method = endpoint.method
        // A request that cannot be made fails where it is sent.
        url = (try? endpoint.urlRequest())?.url?.absoluteString ?? endpoint.url
        exchange = { (change: RequestChange) async throws(MoyaError) -> Answer in
            let changed = MoyaProvider<Target>(
                endpointClosure: { provider.endpoint($0).applying(change) },
                requestClosure: provider.requestClosure, stubClosure: provider.stubClosure,
                transport: transport, plugins: provider.plugins)
            do throws(MoyaError) {
                let response = try await changed.stream(target)
                return Answer(head: response.head, body: response.body, refusal: nil)
            } catch {
                guard case .underlying(let cause, _) = error,
                    case MoyaError.statusCode(let response) = cause,
                    let head = response.head
                else { throw error }
                return Answer(
                    head: head, body: ResponseBodyStream(response.data), refusal: error)
            }
        }
    }

    func send(_ change: RequestChange) async throws(MoyaError) -> Answer {
        let answer = try await exchange(change)
        hasAnswered.withLock { $0 = true }
        return answer
    }

    /// Whether the same request may do better a little later. So may one whose TLS handshake has failed, if the server
    /// has answered before: then it was the network that cut the handshake short.
    func isTransient(_ error: MoyaError) -> Bool {
        if TransientFailure(error) != nil { return true }
        guard case .underlying(let error as URLError, _) = error else { return false }
        return error.code == .secureConnectionFailed && hasAnswered.withLock { $0 }
    }

    /// Waits until the same request may do better.
    ///
    /// - Throws: `error` where there is nothing to wait for; `CancellationError`.
    func wait(
        after error: MoyaError, _ budget: inout TransferRetry.Budget, by clock: any LayerClock
    ) async throws {
        try await budget.wait(after: error, isTransient: isTransient(error), by: clock)
    }
}

/// Follows redirects by a policy made out of the request's.
private struct PolicyTransport: Transport {
    let base: any Transport
    let change: @Sendable (RedirectPolicy) -> RedirectPolicy

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        var request = request
        request.redirectPolicy = change(request.redirectPolicy)
        return try await base.send(request)
    }
}

extension RedirectPolicy {
    /// The same policy within an origin. A redirect to another one is a response like any other.
    var withinOrigin: RedirectPolicy {
        limited { head, next in next.url?.hasSameOrigin(as: head.url) ?? false }
    }
}

extension Endpoint {
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
