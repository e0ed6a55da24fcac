import Foundation
import MoyaCore
import MoyaInternals

/// A layer that sends equal requests once while they are on their way, and gives all callers the response.
///
/// Requests are equal when they have the same method (GET or HEAD), URL, header fields, time limit and cache
/// policy, their responses go to memory with the same limit, and their targets have the same
/// ``AccessTokenAuthorizable/authorizationType``. One with a body, a progress or informational handler, a
/// `credential` or a redirect policy other than the default goes alone, and so does one that a ``TokenRefresher`` makes
/// to refresh.
///
/// The exchange is cancelled when all callers that wait for it are.
public struct CoalescingTransport: Transport {
    private struct Key: Hashable, Sendable {
        let method: String
        let url: URL
        let headers: [String: String]
        let cachePolicy: UInt
        let timeout: TimeInterval
        let limit: Int
        let authorization: AuthorizationType?
    }

    private let next: any Transport
    private let running = Locked<[Key: SharedTask<TransportResponse>]>([:])

    init(next: any Transport) {
        self.next = next
    }

    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        // Those whom a refresh of a token would join may be waiting for it.
        guard !TokenRefresher.isAnyRefreshing, let key = Self.key(of: request) else {
            return try await next.send(request)
        }
        let (work, isNew) = running.withLock { running in
            if let work = running[key], work.join() { return (work, false) }
            let work = SharedTask(cancelsWhenAbandoned: true) { [next] in
                try await next.send(request)
            }
            running[key] = work
            return (work, true)
        }
        if isNew { work.start() }
        defer {
            running.withLock { running in
                // Another may be in its place by now.
                if running[key] === work, work.isOver { running[key] = nil }
            }
        }
        return try await work.value()
    }

    /// How many wait for an exchange.
    var waitingCount: Int {
        running.withLock { $0.values.reduce(0) { $0 + $1.waitingCount } }
    }

    private static func key(of request: TransportRequest) -> Key? {
        guard ["GET", "HEAD"].contains(request.method), let url = request.urlRequest.url,
            case .none = request.body, case .memory(let limit) = request.destination,
            request.progress == nil, request.informational == nil, request.credential == nil,
            request.redirectPolicy.isDefault
        else { return nil }
        return Key(
            method: request.method, url: url,
            headers: request.urlRequest.allHTTPHeaderFields ?? [:],
            cachePolicy: request.urlRequest.cachePolicy.rawValue,
            timeout: request.urlRequest.timeoutInterval, limit: limit,
            authorization: request.authorizationType)
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
