import MoyaInternals

/// An operation that can be cancelled.
///
/// In Swift 5 mode, any conforming class may have a mutable `isCancelled`. In Swift 6 mode, the
/// class has to be `final`, and the compiler warns about the property: guard it with a lock, or use
/// a ``CancellableToken``.
@preconcurrency
public protocol Cancellable: Sendable {
    /// Whether ``cancel()`` has been called.
    var isCancelled: Bool { get }

    /// Cancels the request. Its completion receives `NSURLErrorCancelled` (-999), unless it has
    /// begun, or a download's file has been or is being moved to its destination. Further calls
    /// have no effect.
    func cancel()
}

/// A ``Cancellable`` that runs a closure when it is cancelled.
public final class CancellableToken: Cancellable, CustomDebugStringConvertible {
    /// Wrapped in a struct, because a closure as a generic argument is re-wrapped on each access.
    private struct Action {
        let run: @Sendable () -> Void
    }

    private let action: Locked<Action?>

    /// Creates a token that calls `action` on the first ``cancel()``.
    @preconcurrency
    public init(action: @escaping @Sendable () -> Void) {
        self.action = Locked(Action(run: action))
    }

    public var isCancelled: Bool { action.withLock { $0 == nil } }

    public func cancel() {
        action.withLock { $0.take() }?.run()
    }

    public var debugDescription: String {
        isCancelled ? "CancellableToken (cancelled)" : "CancellableToken"
    }
}
