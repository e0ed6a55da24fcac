@_spi(MoyaInternals) import MoyaCore

/// A value that tests wait for to become what they need.
final class Watched<Value: Sendable>: Sendable {
    private struct Waiter {
        let isMet: @Sendable (Value) -> Bool
        let answer: CheckedContinuation<Void, Never>
    }

    private let state: Locked<(value: Value, waiters: [Waiter])>

    init(_ value: Value) {
        state = Locked((value, []))
    }

    var value: Value { state.withLock { $0.value } }

    @discardableResult
    func change<Result>(_ body: (inout Value) -> Result) -> Result {
        let result = state.withLock { body(&$0.value) }
        resumeMetWaiters()
        return result
    }

    func wait(until isMet: @escaping @Sendable (Value) -> Bool) async {
        await withCheckedContinuation { continuation in
            state.withLock { $0.waiters.append(Waiter(isMet: isMet, answer: continuation)) }
            resumeMetWaiters()
        }
    }

    private func resumeMetWaiters() {
        let met = state.withLock { state in
            let value = state.value
            let met = state.waiters.filter { $0.isMet(value) }
            state.waiters = state.waiters.filter { !$0.isMet(value) }
            return met
        }
        for waiter in met { waiter.answer.resume() }
    }
}
