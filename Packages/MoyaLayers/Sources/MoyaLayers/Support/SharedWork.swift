import Foundation
import MoyaCore
import MoyaInternals

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Work that is done once and that many wait for.
///
/// A place among those who wait is good for one call of ``value()``. Whoever makes the work has the first place, others
/// take one with ``join()``.
final class SharedWork<Value: Sendable>: Sendable {
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

    /// - Parameter cancelsWhenAbandoned: Whether the work ends when nobody waits for it any more.
    init(
        cancelsWhenAbandoned: Bool, operation: @escaping @Sendable () async throws -> Value
    ) {
        self.cancelsWhenAbandoned = cancelsWhenAbandoned
        self.operation = operation
    }

    /// Whether the work is done or given up.
    var isOver: Bool { state.withLock { $0.result != nil || $0.isAbandoned } }

    /// How many wait.
    var waitingCount: Int { state.withLock(\.waiters.count) }

    /// Begins the work. Called once, by whoever made it.
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

    /// Takes a place. `false` when the work is over or given up: then the caller has to make work of its own.
    func join() -> Bool {
        state.withLock { state in
            guard state.result == nil, !state.isAbandoned else { return false }
            state.placeCount += 1
            return true
        }
    }

    /// What came of the work.
    ///
    /// - Throws: What the work throws; `URLError(.cancelled)` as soon as the waiting task is cancelled,
    ///   which is nothing to the others.
    func value() async throws -> Value {
        let id = UUID()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state in
                    if state.result == nil { state.waiters[id] = continuation }
                    return state.result
                }
                if let result { return continuation.resume(with: result) }
                if Task.isCancelled { leave(id) }
            }
        } onCancel: {
            leave(id)
        }
    }

    private func leave(_ id: UUID) {
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
        waiter?.resume(throwing: URLError(.cancelled))
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
