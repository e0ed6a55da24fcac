import Foundation
import MoyaCore
import MoyaInternals
import Testing

/// A value with conditions that tests wait for.
final class Watched<Value: Sendable>: Sendable {
    private struct Waiter {
        let isMet: @Sendable (Value) -> Bool
        let answer: CheckedContinuation<Void, Never>
    }

    private let state: Locked<(value: Value, waiters: [UUID: Waiter])>

    init(_ value: Value) {
        state = Locked((value, [:]))
    }

    var value: Value { state.withLock { $0.value } }

    @discardableResult
    func change<Result>(_ body: (inout Value) -> Result) -> Result {
        let result = state.withLock { body(&$0.value) }
        resumeMetWaiters()
        return result
    }

    /// Waits until the condition is met, at most for a minute or until the test is cancelled, so
    /// that a failing test does not block the others.
    func wait(until isMet: @escaping @Sendable (Value) -> Bool) async {
        let id = UUID()
        let limit = Task {
            try await Task.sleep(nanoseconds: 60_000_000_000)
            if giveUp(id) { Issue.record("Not so after 60 s: \(value)") }
        }
        defer { limit.cancel() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { $0.waiters[id] = Waiter(isMet: isMet, answer: continuation) }
                resumeMetWaiters()
                if Task.isCancelled { giveUp(id) }
            }
        } onCancel: {
            giveUp(id)
        }
    }

    /// Resumes a waiter. Returns whether it was still waiting.
    @discardableResult
    private func giveUp(_ id: UUID) -> Bool {
        let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
        waiter?.answer.resume()
        return waiter != nil
    }

    private func resumeMetWaiters() {
        let met = state.withLock { state in
            let value = state.value
            let met = state.waiters.filter { $0.value.isMet(value) }
            for id in met.keys { state.waiters[id] = nil }
            return met.values
        }
        for waiter in met { waiter.answer.resume() }
    }
}
