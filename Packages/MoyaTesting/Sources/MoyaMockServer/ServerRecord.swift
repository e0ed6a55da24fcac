import Foundation
import MoyaCore
import MoyaInternals

/// State of a server: received requests, open connections, and tasks that wait for a state.
struct ServerRecord: Sendable {
    struct State {
        var requests: [MockRequest] = []
        /// Closures that end the open connections, by connection number.
        var connections: [Int: @Sendable () -> Void] = [:]
        var acceptedCount = 0
        var isStopped = false
        fileprivate var waiters: [UUID: Waiter] = [:]

        fileprivate mutating func takeMetWaiters() -> [CheckedContinuation<Void, any Error>] {
            guard !waiters.isEmpty else { return [] }
            let met = waiters.filter { $0.value.isMet(self) }
            for id in met.keys { waiters[id] = nil }
            return met.values.map(\.continuation)
        }
    }

    fileprivate struct Waiter {
        let isMet: @Sendable (State) -> Bool
        let continuation: CheckedContinuation<Void, any Error>
    }

    let state = Locked(State())

    /// Registers a connection that `end` ends. Returns its number, or `nil` if the server has
    /// stopped.
    func accept(end: @escaping @Sendable () -> Void) -> Int? {
        let id = state.withLock { state -> Int? in
            guard !state.isStopped else { return nil }
            state.acceptedCount += 1
            state.connections[state.acceptedCount] = end
            return state.acceptedCount
        }
        announce()
        return id
    }

    /// Removes a connection and calls `close` under the lock, so that ``stop()`` cannot end the
    /// connection at the same time.
    func remove(_ id: Int, close: @Sendable () -> Void = {}) {
        state.withLock { state in
            state.connections[id] = nil
            close()
        }
        announce()
    }

    /// Ends every connection. Returns whether this is the first call.
    @discardableResult
    func stop() -> Bool {
        state.withLock { state in
            defer { state.isStopped = true }
            for end in state.connections.values { end() }
            return !state.isStopped
        }
    }

    func add(_ request: MockRequest) {
        state.withLock { $0.requests.append(request.recorded) }
        announce()
    }

    /// Resumes the waiters whose condition is met. Called after every change.
    func announce() {
        for waiter in state.withLock({ $0.takeMetWaiters() }) { waiter.resume() }
    }

    /// Waits until `isMet` returns `true`.
    ///
    /// - Throws: `MockServer.TimeoutError` after `timeout` seconds; `CancellationError`.
    func wait(
        _ timeout: TimeInterval, for what: String, until isMet: @escaping @Sendable (State) -> Bool
    ) async throws {
        try await suspend { id, continuation in
            let isMetAlready = state.withLock { state in
                if isMet(state) { return true }
                state.waiters[id] = Waiter(isMet: isMet, continuation: continuation)
                return false
            }
            if isMetAlready { return .success(()) }
            DispatchQueue.global().asyncAfter(deadline: .now() + timeout) {
                takeWaiter(id)?.resume(
                    throwing: MockServer.TimeoutError(
                        description: "Waited \(timeout) s in vain for \(what)."))
            }
            return nil
        } giveUp: { id in
            takeWaiter(id)
        }
    }

    private func takeWaiter(_ id: UUID) -> CheckedContinuation<Void, any Error>? {
        state.withLock { $0.waiters.removeValue(forKey: id)?.continuation }
    }
}
