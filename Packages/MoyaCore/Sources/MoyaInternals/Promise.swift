/// A value that is set once, and the task that awaits it. Only the first value counts.
///
/// Inlinable for specialization: every awaited request creates one.
public struct Promise<Value: Sendable>: Sendable {
    @usableFromInline
    enum State {
        case empty
        case awaited(CheckedContinuation<Value, Never>)
        case fulfilled(Value)
    }

    @usableFromInline
    let state: Locked<State>

    /// Creates a promise without a value.
    @inlinable
    public init() { state = Locked(.empty) }

    /// ``fulfill(_:)`` as a closure. It needs no memory of its own, because it captures one object.
    @inlinable
    public var fulfilling: @Sendable (Value) -> Void {
        // Safe: used with its lock only.
        nonisolated(unsafe) let storage = state.storage
        return { Promise(state: Locked(storage: storage)).fulfill($0) }
    }

    @inlinable
    init(state: Locked<State>) { self.state = state }

    /// Sets the value, unless it is already set.
    @inlinable
    public func fulfill(_ value: Value) {
        let waiter = state.withLock { state -> CheckedContinuation<Value, Never>? in
            switch state {
            case .empty:
                state = .fulfilled(value)
                return nil
            case .awaited(let continuation):
                state = .fulfilled(value)
                return continuation
            case .fulfilled:
                return nil
            }
        }
        waiter?.resume(returning: value)
    }

    /// The value, if it is set.
    @inlinable
    public var current: Value? {
        state.withLock { if case .fulfilled(let value) = $0 { value } else { nil } }
    }

    /// Waits for the value. Only one task may wait.
    ///
    /// - Parameter onCancel: Called when the waiting task is cancelled. Must ensure that a value is
    ///   set.
    @inlinable
    public nonisolated(nonsending) func value(onCancel: @Sendable () -> Void) async -> Value {
        if let current { return current }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let value = state.withLock { state -> Value? in
                    if case .fulfilled(let value) = state { return value }
                    state = .awaited(continuation)
                    return nil
                }
                if let value { continuation.resume(returning: value) }
            }
        } onCancel: {
            onCancel()
        }
    }
}
