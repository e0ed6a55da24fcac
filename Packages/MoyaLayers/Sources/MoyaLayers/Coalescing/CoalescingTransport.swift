import Foundation
import MoyaCore
import MoyaInternals

/// A layer that sends concurrent equal requests once, and gives each of them the response.
struct CoalescingTransport: Transport {
    private typealias Key = RequestKey<AuthorizationType?>
    private typealias Requests = SharedRequests<Key, Shared>

    /// The result of a request that was sent for all equal requests.
    private struct Shared: Sendable {
        var result: Result<TransportResponse, any Error>
        /// Whether it failed at its deadline. Equal requests with more time are sent again.
        var failedAtDeadline = false
    }

    let next: any Transport
    private let requests = Requests()

    var sessionHeaders: [String: String] { next.sessionHeaders }

    /// Sends `request`, or waits for the response of an equal request in flight.
    func send(_ request: TransportRequest) async throws -> TransportResponse {
        // A token refresh must not join a request that may be waiting for that refresh.
        guard !TokenRefresher.isAnyRefreshing, let key = Self.key(of: request) else {
            return try await next.send(request)
        }
        while let joined = requests.join(key) {
            defer { joined.leave() }
            let shared = try await value(of: joined, for: request)
            guard shared.failedAtDeadline, request.deadline?.hasPassed != true, !Task.isCancelled
            else { return try shared.result.get() }
        }
        guard let started = requests.start(key, { await share(request) }) else {
            return try await next.send(request)
        }
        defer { started.leave() }
        return try await started.value(ifCancelled: Self.cancelled).result.get()
    }

    private static let cancelled = Shared(result: .failure(URLError(.cancelled)))

    /// Sends a request for all equal requests. It ends at its own deadline.
    private func share(_ request: TransportRequest) async -> Shared {
        let result = await Result(of: { try await next.send(request) })
        guard case .failure(let error as URLError) = result, error.code == .timedOut else {
            return Shared(result: result)
        }
        return Shared(result: result, failedAtDeadline: request.deadline?.hasPassed == true)
    }

    /// Waits for a shared result, at most until the deadline of `request`.
    private func value(
        of joined: Requests.Wait, for request: TransportRequest
    ) async throws -> Shared {
        guard let deadline = request.deadline else {
            return await joined.value(ifCancelled: Self.cancelled)
        }
        return try await deadline.run(for: request.urlRequest.url) {
            await joined.value(ifCancelled: Self.cancelled)
        }
    }

    /// Number of requests that wait for a shared response.
    var waitingCount: Int { requests.inFlight.reduce(0) { $0 + $1.receivers.count } }

    private static func key(of request: TransportRequest) -> Key? {
        guard ["GET", "HEAD"].contains(request.method), case .none = request.body,
            case .memory(let limit) = request.destination, request.progress == nil,
            request.informational == nil, request.credential == nil,
            request.redirectPolicy.isDefault
        else { return nil }
        return Key(
            request.urlRequest, body: nil, limit: limit, context: request.context.authorizationType)
    }
}

extension Transport {
    /// Wraps this transport in a layer that sends concurrent equal requests once, and gives each of
    /// them the response.
    ///
    /// Requests are equal if they have the same method (GET or HEAD), URL, header fields, timeout,
    /// cache policy and cookie handling, their responses go to memory with the same limit, and
    /// their contexts have the same `authorizationType`. Requests with a body, a progress or
    /// informational handler, a `credential` or a custom redirect policy are sent separately. So
    /// are requests that a ``TokenRefresher`` sends to refresh its token.
    ///
    /// The shared request is cancelled when all requests that wait for it are cancelled. It ends at
    /// the deadline of the request that was sent, and is sent again for waiting requests with a
    /// later one. Two equal requests that start at the same moment may both be sent.
    ///
    /// The layer does not see the token that an inner layer adds. If users change while requests
    /// are in flight, put `authorizing` around this layer.
    public func coalescing() -> some Transport {
        CoalescingTransport(next: self)
    }
}
