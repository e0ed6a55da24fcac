import Foundation
import MoyaCore
import MoyaInternals

/// Runs process-wide leak checks one at a time.
final class LeakCheckMutex: Sendable {
    static let shared = LeakCheckMutex()

    /// Whether this task holds the mutex. A check inside a checked test must not wait for the outer
    /// check.
    @TaskLocal private static var isInside = false

    private struct State {
        var isTaken = false
        var waiting: [(id: UUID, continuation: CheckedContinuation<Void, any Error>)] = []
    }

    private let state = Locked(State())

    /// Runs `body` while holding the mutex.
    ///
    /// - Throws: Errors of `body`; `CancellationError` if the task is cancelled while it waits.
    func withLock<Result>(_ body: () async throws -> Result) async throws -> Result {
        guard !Self.isInside else { return try await body() }
        try await enter()
        defer { leave() }
        return try await Self.$isInside.withValue(true, operation: body)
    }

    private func enter() async throws {
        try await suspend { id, continuation in
            state.withLock { state in
                guard state.isTaken else {
                    state.isTaken = true
                    return .success(())
                }
                state.waiting.append((id, continuation))
                return nil
            }
        } giveUp: { id in
            state.withLock { state in
                state.waiting.firstIndex { $0.id == id }
                    .map { state.waiting.remove(at: $0).continuation }
            }
        }
    }

    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst().continuation
        }
        next?.resume()
    }
}
