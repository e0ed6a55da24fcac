import Foundation
import MoyaCore
import MoyaInternals

/// A layer that sends equal requests once while they are on their way, and gives each of them the response.
///
/// Requests are equal when they have the same method (GET or HEAD), URL, header fields, time limit, cache
/// policy and handling of cookies, their responses go to memory with the same limit, and their targets have the same
/// `AccessTokenAuthorizable.authorizationType`. One with a body, a progress or informational handler, a
/// `credential` or a redirect policy other than the default goes alone, and so does one that a ``TokenRefresher`` makes
/// to refresh.
///
/// The exchange is cancelled when all requests that wait for it are. Of two equal requests that are sent at the same
/// moment, each may be sent by itself.
public struct CoalescingTransport: Transport {
    private typealias Key = RequestKey<AuthorizationType?>
    private typealias Requests = SharedRequests<Key, Result<TransportResponse, any Error>>

    private let next: any Transport
    private let requests = Requests()

    init(next: any Transport) {
        self.next = next
    }

    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        // The refresh of a token must not join a request that may be waiting for it.
        guard !TokenRefresher.isAnyRefreshing, let key = Self.key(of: request) else {
            return try await next.send(request)
        }
        let promise = Promise<Result<TransportResponse, any Error>>()
        guard
            let member = requests.join(key, receiver: promise.fulfill)
                ?? start(request, key, receiver: promise.fulfill)
        else { return try await next.send(request) }
        return try await promise.value {
            requests.leave(member)
            promise.fulfill(.failure(URLError(.cancelled)))
        }.get()
    }

    /// Sends a request for others to join. `nil` where an equal one is sent at the same moment.
    private func start(
        _ request: TransportRequest, _ key: Key, receiver: @escaping Requests.Receiver
    ) -> Requests.Membership? {
        guard let member = requests.enter(key, receiver: receiver) else { return nil }
        let task = Task {
            requests.finish(member, await Result(of: { try await next.send(request) }))
            requests.remove(member)
        }
        requests.run(member, cancel: task.cancel)
        return member
    }

    /// How many wait for an exchange.
    var waitingCount: Int { requests.inFlight.reduce(0) { $0 + $1.receivers.count } }

    private static func key(of request: TransportRequest) -> Key? {
        guard ["GET", "HEAD"].contains(request.method), case .none = request.body,
            case .memory(let limit) = request.destination, request.progress == nil,
            request.informational == nil, request.credential == nil,
            request.redirectPolicy.isDefault
        else { return nil }
        return Key(
            request.urlRequest, body: nil, limit: limit, context: request.authorizationType)
    }
}

extension Transport {
    /// This transport, sending equal requests once while they are on their way.
    ///
    /// It does not see whose token a layer inside sends. Where users change while requests are under way, put
    /// `authorizing` around it.
    public func coalescing() -> CoalescingTransport {
        CoalescingTransport(next: self)
    }
}
