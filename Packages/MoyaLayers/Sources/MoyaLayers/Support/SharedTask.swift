import Foundation
import MoyaCore
import MoyaInternals

/// A task whose result several waiters share.
///
/// Each waiter has a place, which is good for one call of ``value()``. The creator has the first place, the others get
/// theirs with ``join()``.
final class SharedTask<Value: Sendable>: Sendable {
    private struct State {
        var result: Result<Value, any Error>?
        var waiters: [UUID: CheckedContinuation<Value, any Error>] = [:]
        var placeCount = 1
        var isAbandoned = false
        var task: Task<Void, Never>?
    }

    private let state = Locked(State())
    private let cancelsWhenAbandoned: Bool
    private let operation: @Sendable () async throws -> Value

    /// - Parameter cancelsWhenAbandoned: Whether the task is cancelled when its last waiter is.
    init(
        cancelsWhenAbandoned: Bool, operation: @escaping @Sendable () async throws -> Value
    ) {
        self.cancelsWhenAbandoned = cancelsWhenAbandoned
        self.operation = operation
    }

    /// Whether the task is done or cancelled.
    var isOver: Bool { state.withLock { $0.result != nil || $0.isAbandoned } }

    var waitingCount: Int { state.withLock(\.waiters.count) }

    /// Starts the task. Called once, by its creator.
    func start() {
        let task = Task {
            finish(await Result(of: operation))
        }
        let isAbandoned = state.withLock { state in
            state.task = task
            return state.isAbandoned
        }
        if isAbandoned { task.cancel() }
    }

    /// Takes a place. `false` when the task is done or cancelled: the caller then makes a task of its own.
    func join() -> Bool {
        state.withLock { state in
            guard state.result == nil, !state.isAbandoned else { return false }
            state.placeCount += 1
            return true
        }
    }

    /// The result.
    ///
    /// - Throws: What the operation throws; `URLError(.cancelled)` as soon as the waiter is cancelled, which does not
    ///   affect other waiters.
    func value() async throws -> Value {
        try await suspend(throwing: URLError(.cancelled)) { id, continuation in
            state.withLock { state in
                if state.result == nil { state.waiters[id] = continuation }
                return state.result
            }
        } giveUp: { id in
            leave(id)
        }
    }

    private func leave(_ id: UUID) -> CheckedContinuation<Value, any Error>? {
        let (waiter, abandoned) = state.withLock { state in
            guard let waiter = state.waiters.removeValue(forKey: id) else {
                return (nil as CheckedContinuation<Value, any Error>?, nil as Task<Void, Never>?)
            }
            state.placeCount -= 1
            guard state.placeCount == 0, cancelsWhenAbandoned else { return (waiter, nil) }
            state.isAbandoned = true
            return (waiter, state.task)
        }
        abandoned?.cancel()
        return waiter
    }

    private func finish(_ result: Result<Value, any Error>) {
        let waiters = state.withLock { state in
            state.result = result
            state.task = nil
            defer { state.waiters = [:] }
            return state.waiters.values.map { $0 }
        }
        for waiter in waiters { waiter.resume(with: result) }
    }
}
