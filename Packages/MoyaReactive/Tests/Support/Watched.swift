import Foundation
@_spi(MoyaInternals) import MoyaCore

/// A value that tests wait for to become what they need.
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

    /// Waits, or gives up where the test is out of time.
    func wait(until isMet: @escaping @Sendable (Value) -> Bool) async {
        let id = UUID()
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

    private func giveUp(_ id: UUID) {
        state.withLock { $0.waiters.removeValue(forKey: id) }?.answer.resume()
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
