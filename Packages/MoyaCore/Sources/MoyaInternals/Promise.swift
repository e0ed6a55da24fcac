/// A value that is set once, and the task that awaits it. Only the first value counts.
///
/// Inlinable for specialization: every awaited request creates one.
public final class Promise<Value: Sendable>: Sendable {
    @usableFromInline
    enum State {
        case empty
        case awaited(CheckedContinuation<Value, Never>)
        case fulfilled(Value)
    }

    // Safe: accessed with the lock of this object only.
    @usableFromInline
    nonisolated(unsafe) var state = State.empty

    /// Creates a promise without a value.
    @inlinable
    public init() {}

    /// Sets the value, unless it is already set.
    @inlinable
    public func fulfill(_ value: Value) {
        let waiter = SharedLocks.withLock(of: self) { () -> CheckedContinuation<Value, Never>? in
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

    /// Whether the value is set.
    public var isFulfilled: Bool {
        SharedLocks.withLock(of: self) { if case .fulfilled = state { true } else { false } }
    }

    /// Waits for the value. Only one task may wait.
    ///
    /// - Parameter onCancel: Called when the waiting task is cancelled. Must ensure that a value is
    ///   set.
    @inlinable
    public nonisolated(nonsending) func value(onCancel: @Sendable () -> Void) async -> Value {
        let known = SharedLocks.withLock(of: self) {
            if case .fulfilled(let value) = state { value } else { nil as Value? }
        }
        if let known { return known }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let value = SharedLocks.withLock(of: self) { () -> Value? in
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
