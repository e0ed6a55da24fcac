import MoyaCore

/// What a target sends and where its answer goes, by the name Moya gives it.
///
/// `Task { await … }` still starts a task of Swift's concurrency, and what stands below still works. The rest of it
/// goes by `_Concurrency.Task` where this name is in the way, as its type does.
public typealias Task = RequestTask

// What code says to `Task` when it means the one of Swift's concurrency.
extension RequestTask {
    /// Whether the current task of Swift's concurrency is cancelled.
    public static var isCancelled: Bool { _Concurrency.Task<Never, Never>.isCancelled }

    /// The priority of the current task of Swift's concurrency.
    public static var currentPriority: TaskPriority {
        _Concurrency.Task<Never, Never>.currentPriority
    }

    /// Throws `CancellationError` if the current task of Swift's concurrency is cancelled.
    public static func checkCancellation() throws {
        try _Concurrency.Task<Never, Never>.checkCancellation()
    }

    /// Lets other tasks of Swift's concurrency run.
    public static func yield() async {
        await _Concurrency.Task<Never, Never>.yield()
    }

    /// Waits without holding a thread.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public static func sleep(nanoseconds duration: UInt64) async throws {
        try await _Concurrency.Task<Never, Never>.sleep(nanoseconds: duration)
    }

    /// Waits without holding a thread.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
    public static func sleep(for duration: Duration) async throws {
        try await _Concurrency.Task<Never, Never>.sleep(for: duration)
    }

    /// Starts `operation` as a task of Swift's concurrency that inherits nothing.
    @discardableResult
    public static func detached<Success: Sendable>(
        priority: TaskPriority? = nil,
        operation: sending @escaping @isolated(any) () async -> Success
    ) -> _Concurrency.Task<Success, Never> {
        _Concurrency.Task.detached(priority: priority, operation: operation)
    }

    /// Starts `operation` as a task of Swift's concurrency that inherits nothing.
    @discardableResult
    public static func detached<Success: Sendable>(
        priority: TaskPriority? = nil,
        operation: sending @escaping @isolated(any) () async throws -> Success
    ) -> _Concurrency.Task<Success, any Error> {
        _Concurrency.Task.detached(priority: priority, operation: operation)
    }
}
