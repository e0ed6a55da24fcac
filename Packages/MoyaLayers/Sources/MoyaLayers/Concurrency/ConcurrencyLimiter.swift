import Foundation
import MoyaCore
import MoyaInternals

/// A request was not sent because too many requests already wait for its server.
public struct ConcurrencyLimitError: Error, Equatable, LocalizedError {
    /// The scheme, host and port of the server.
    public let origin: String
    /// Number of requests that wait for the server.
    public let waitingCount: Int

    /// The origin, and the number of its waiting requests.
    public var errorDescription: String? {
        "The queue for \(origin) is full (\(waitingCount) request\(waitingCount == 1 ? "" : "s") "
            + "waiting). Nothing was sent. Retry later, or raise maximumWaiting."
    }
}

/// Limits the number of concurrent requests for each server. Further requests wait, first in, first
/// out.
///
/// A server is a scheme, host and port. Share one limiter between transports that reach the same
/// servers.
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
    ///   - limit: Maximum number of concurrent requests for each server, at least one.
    ///   - maximumWaiting: Maximum number of waiting requests for each server. Further requests
    ///     fail with a ``ConcurrencyLimitError``. With 0 or less no request waits.
    public init(perHost limit: Int, maximumWaiting: Int = .max) {
        self.limit = max(1, limit)
        self.maximumWaiting = max(0, maximumWaiting)
    }

    /// Waits for a slot of the server, at most until the deadline of `request`. ``release(_:)``
    /// returns the slot.
    func acquire(_ origin: String, for request: TransportRequest) async throws {
        if Task.isCancelled { throw URLError(.cancelled) }
        // Most requests find a slot, and need no continuation.
        if hosts.withLock({ takeSlot(of: origin, in: &$0) }) { return }
        var wait = QueueWait(of: request)
        if waitingCount(origin) < maximumWaiting {
            wait.begin(waitingCount: waitingCount(origin) + 1)
        }
        defer { wait.end(waitingCount: waitingCount(origin)) }
        guard let deadline = request.deadline else { return try await queueUp(origin) }
        try await deadline.run(
            for: request.urlRequest.url, wasSent: false,
            discarding: { [self] _ in release(origin) },
            { [self] in try await queueUp(origin) })
    }

    private func queueUp(_ origin: String) async throws {
        try await suspend(throwing: URLError(.cancelled)) { id, continuation in
            hosts.withLock { hosts in
                if takeSlot(of: origin, in: &hosts) { return .success(()) }
                let waitingCount = hosts[origin]?.waiters.count ?? 0
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

    /// Number of requests that wait for the server.
    func waitingCount(_ origin: String) -> Int {
        hosts.withLock { $0[origin]?.waiters.count ?? 0 }
    }

    private func takeSlot(of origin: String, in hosts: inout [String: Host]) -> Bool {
        guard hosts[origin, default: Host()].runningCount < limit else { return false }
        hosts[origin, default: Host()].runningCount += 1
        return true
    }

    func release(_ origin: String) {
        let next = hosts.withLock { hosts -> Waiter? in
            guard var host = hosts[origin] else { return nil }
            // The slot passes to the next waiter in the same step, so that a new request cannot
            // take it first.
            let next = host.waiters.isEmpty ? nil : host.waiters.removeFirst()
            if next == nil { host.runningCount -= 1 }
            hosts[origin] = host.runningCount > 0 ? host : nil
            return next
        }
        next?.answer.resume()
    }
}

extension Transport {
    /// Wraps this transport in a layer that sends as many concurrent requests to each server as
    /// `limiter` allows. A request that may neither run nor wait fails with a
    /// ``ConcurrencyLimitError``, and one whose deadline passes while it waits with
    /// `URLError(.timedOut)`.
    public func limitingConcurrency(with limiter: ConcurrencyLimiter) -> some Transport {
        Layer(around: self) { request in
            let origin = request.origin
            try await limiter.acquire(origin, for: request)
            return try await perform {
                try await send(request)
            } whenEnded: { _ in
                limiter.release(origin)
            }
        }
    }

    /// Wraps this transport in a layer that sends at most `limit` concurrent requests, at least
    /// one, to each server.
    public func limitingConcurrency(perHost limit: Int) -> some Transport {
        limitingConcurrency(with: ConcurrencyLimiter(perHost: limit))
    }
}
