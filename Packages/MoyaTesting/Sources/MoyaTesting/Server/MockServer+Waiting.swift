import Foundation
@_spi(MoyaInternals) import MoyaCore

extension MockServer {
    struct State {
        var requests: [MockRequest] = []
        var connections: [Int: Socket] = [:]
        var acceptedCount = 0
        var isStopped = false
        fileprivate var waiters: [UUID: Waiter] = [:]

        mutating func takeMetWaiters() -> [CheckedContinuation<Outcome, Never>] {
            guard !waiters.isEmpty else { return [] }
            let met = waiters.filter { $0.value.isMet(self) }
            for id in met.keys { waiters[id] = nil }
            return met.values.map(\.answer)
        }
    }

    enum Outcome {
        case met, timedOut, cancelled
    }

    fileprivate struct Waiter {
        let isMet: @Sendable (State) -> Bool
        let answer: CheckedContinuation<Outcome, Never>
    }

    /// Waits until `count` requests have been received, and returns all there are.
    public func waitForRequests(
        _ count: Int, timeout: TimeInterval = 60
    ) async throws -> [MockRequest] {
        try await wait(timeout, for: "\(count) requests") { $0.requests.count >= count }
        return requests
    }

    /// Waits until `count` connections have been accepted.
    public func waitForConnections(_ count: Int, timeout: TimeInterval = 60) async throws {
        try await wait(timeout, for: "\(count) connections") { $0.acceptedCount >= count }
    }

    /// Waits until every client has left.
    public func waitUntilDisconnected(timeout: TimeInterval = 60) async throws {
        try await wait(timeout, for: "every client to leave") { $0.connections.isEmpty }
    }

    private func wait(
        _ timeout: TimeInterval, for what: String, until isMet: @escaping @Sendable (State) -> Bool
    ) async throws {
        let id = UUID()
        let state = state
        let end: @Sendable (Outcome) -> Void = { outcome in
            state.withLock { $0.waiters.removeValue(forKey: id) }?.answer.resume(returning: outcome)
        }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isMetAlready = state.withLock { state in
                    if isMet(state) { return true }
                    state.waiters[id] = Waiter(isMet: isMet, answer: continuation)
                    return false
                }
                if isMetAlready { return continuation.resume(returning: .met) }
                // Cancelled before there was anybody to tell.
                if Task.isCancelled { return end(.cancelled) }
                DispatchQueue.global().asyncAfter(deadline: .now() + timeout) { end(.timedOut) }
            }
        } onCancel: {
            end(.cancelled)
        }
        switch outcome {
        case .met: return
        case .cancelled: throw CancellationError()
        case .timedOut:
            throw TimeoutError(description: "Waited \(timeout) s in vain for \(what).")
        }
    }
}
