import Foundation
import MoyaCore
import MoyaInternals

/// Too many requests wait for one server already. Nothing was sent.
public struct ConcurrencyLimitError: Error, Equatable, LocalizedError {
    /// The scheme, host and port of the server.
    public let origin: String
    /// How many requests wait for it.
    public let waitingCount: Int

    public var errorDescription: String? {
        "\(waitingCount) requests wait for \(origin) already, and no more may."
    }
}

/// Bounds how many requests run for each server at a time. The others wait, and go in the order in which they came.
///
/// A server is a scheme, host and port. Share one between transports that reach the same servers.
public final class ConcurrencyLimiter: Sendable {
    private struct Waiter {
        let id: UUID
        let answer: CheckedContinuation<Void, any Error>
    }

    private struct Host {
        var runningCount = 0
        var waiters: [Waiter] = []
    }

    private let limit: Int
    private let maximumWaiting: Int
    private let hosts = Locked<[String: Host]>([:])

    /// - Parameters:
    ///   - limit: How many requests run for one server at a time, at least one.
    ///   - maximumWaiting: How many wait for one server. One more fails with a ``ConcurrencyLimitError``: with 0 or
    ///     less, every one that cannot run does.
    public init(perHost limit: Int, maximumWaiting: Int = .max) {
        self.limit = max(1, limit)
        self.maximumWaiting = max(0, maximumWaiting)
    }

    /// Waits for a slot of the server, which ``release(_:)`` gives back.
    func acquire(_ origin: String) async throws {
        try await suspend(throwing: URLError(.cancelled)) { id, continuation in
            hosts.withLock { hosts in
                let waitingCount = hosts[origin]?.waiters.count ?? 0
                if hosts[origin]?.runningCount ?? 0 < limit {
                    hosts[origin, default: Host()].runningCount += 1
                    return .success(())
                }
                guard waitingCount < maximumWaiting else {
                    return .failure(
                        ConcurrencyLimitError(origin: origin, waitingCount: waitingCount))
                }
                hosts[origin, default: Host()].waiters.append(
                    Waiter(id: id, answer: continuation))
                return nil
            }
        } giveUp: { id in
            hosts.withLock { hosts in
                guard let index = hosts[origin]?.waiters.firstIndex(where: { $0.id == id }) else {
                    return nil
                }
                return hosts[origin]?.waiters.remove(at: index).answer
            }
        }
    }

    func release(_ origin: String) {
        let next = hosts.withLock { hosts -> Waiter? in
            guard var host = hosts[origin] else { return nil }
            // The slot goes to the next waiter in the same step, so a new request cannot take it first.
            let next = host.waiters.isEmpty ? nil : host.waiters.removeFirst()
            if next == nil { host.runningCount -= 1 }
            hosts[origin] = host.runningCount > 0 ? host : nil
            return next
        }
        next?.answer.resume()
    }
}

extension Transport {
    /// This transport, sending to each server as many requests at a time as `limiter` allows. A request for which there
    /// is no room to wait fails with a ``ConcurrencyLimitError``.
    public func limitingConcurrency(with limiter: ConcurrencyLimiter) -> some Transport {
        Layer { request in
            let origin = request.origin
            try await limiter.acquire(origin)
            return try await perform {
                try await send(request)
            } whenOver: { _ in
                limiter.release(origin)
            }
        }
    }

    /// This transport, sending at most `limit` requests, and at least one, to each server at a time.
    public func limitingConcurrency(perHost limit: Int) -> some Transport {
        limitingConcurrency(with: ConcurrencyLimiter(perHost: limit))
    }
}
