import MoyaInternals

/// Something under way that can be cancelled.
///
/// Swift 5 code may conform with a mutable `isCancelled`; in Swift 6 mode the compiler warns of it. Guard it with a lock, or use a
/// ``CancellableToken``.
@preconcurrency
public protocol Cancellable: Sendable {
    /// Whether ``cancel()`` has been called.
    var isCancelled: Bool { get }

    /// Cancels. The completion gets `NSURLErrorCancelled` (-999), unless it has its result, or that is on the way to its
    /// queue, or the file of a download is being put in its place. Later calls do nothing.
    func cancel()
}

/// A ``Cancellable`` that runs a closure when it is cancelled.
public final class CancellableToken: Cancellable, CustomDebugStringConvertible {
    /// In a struct: a closure that is a generic value by itself is wrapped with each access.
    private struct Action {
        let run: @Sendable () -> Void
    }

    private let action: Locked<Action?>

    /// A token that runs `action` on the first ``cancel()``.
    @preconcurrency
    public init(action: @escaping @Sendable () -> Void) {
        self.action = Locked(Action(run: action))
    }

    public var isCancelled: Bool { action.withLock { $0 == nil } }

    public func cancel() {
        let action = action.withLock { action in
            defer { action = nil }
            return action
        }
        action?.run()
    }

    public var debugDescription: String {
        isCancelled ? "CancellableToken (cancelled)" : "CancellableToken"
    }
}
