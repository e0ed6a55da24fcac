import Foundation
import MoyaCore
import MoyaInternals

/// A task that runs once, and whose result several waiters share. It runs to its end even if all
/// waiters are cancelled.
final class SharedTask<Value: Sendable>: Sendable {
    private struct State {
        /// Whether any waiter has waited.
        var hasBeenAwaited = false
        var result: Result<Value, any Error>?
        var waiters: [UUID: CheckedContinuation<Value, any Error>] = [:]
    }

    private let state = Locked(State())
    private let operation: @Sendable () async throws -> Value

    init(operation: @escaping @Sendable () async throws -> Value) {
        self.operation = operation
    }

    /// Whether the task has finished.
    var isOver: Bool { state.withLock { $0.result != nil } }

    /// Whether all waiters have given up.
    var isAbandoned: Bool { state.withLock { $0.hasBeenAwaited && $0.waiters.isEmpty } }

    /// Starts the task. Called once, by its creator.
    func start() {
        Task {
            // Waiters with other deadlines may need the result.
            let result = await RequestDeadline.$current.withValue(nil) {
                await Result(of: operation)
            }
            let waiters = state.withLock { state in
                state.result = result
                defer { state.waiters = [:] }
                return state.waiters.values.map { $0 }
            }
            for waiter in waiters { waiter.resume(with: result) }
        }
    }

    /// Waits for the result of the task, at most until `deadline`.
    ///
    /// - Throws: The error of the task; `URLError(.timedOut)` when the deadline passes;
    ///   `URLError(.cancelled)` as soon as the waiting task is cancelled. Other waiters are not
    ///   affected.
    func value(by deadline: RequestDeadline? = nil) async throws -> Value {
        if let deadline {
            // A waiter without time may give up before it waits.
            state.withLock { $0.hasBeenAwaited = true }
            return try await deadline.run(wasSent: false) { try await self.value() }
        }
        return try await suspend(throwing: URLError(.cancelled)) { id, continuation in
            state.withLock { state in
                state.hasBeenAwaited = true
                if state.result == nil { state.waiters[id] = continuation }
                return state.result
            }
        } giveUp: { id in
            state.withLock { $0.waiters.removeValue(forKey: id) }
        }
    }
}
