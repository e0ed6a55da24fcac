import MoyaCore

// Functions of Swift's `Task` that start a task.
extension RequestTask {
    /// Starts a detached Swift task that runs `operation`. The task inherits neither the caller's
    /// actor nor its priority and task-local values.
    @discardableResult
    public static func detached<Success: Sendable>(
        name: String? = nil,
        priority: TaskPriority? = nil,
        operation: sending @escaping @isolated(any) () async -> Success
    ) -> _Concurrency.Task<Success, Never> {
        _Concurrency.Task.detached(name: name, priority: priority, operation: operation)
    }

    /// Starts a detached Swift task that runs `operation`. The task inherits neither the caller's
    /// actor nor its priority and task-local values.
    @discardableResult
    public static func detached<Success: Sendable>(
        name: String? = nil,
        priority: TaskPriority? = nil,
        operation: sending @escaping @isolated(any) () async throws -> Success
    ) -> _Concurrency.Task<Success, any Error> {
        _Concurrency.Task.detached(name: name, priority: priority, operation: operation)
    }

    /// Starts a detached Swift task that runs `operation` on `executorPreference`.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @discardableResult
    public static func detached<Success: Sendable>(
        name: String? = nil,
        executorPreference: (any TaskExecutor)?,
        priority: TaskPriority? = nil,
        operation: sending @escaping () async -> Success
    ) -> _Concurrency.Task<Success, Never> {
        _Concurrency.Task.detached(
            name: name, executorPreference: executorPreference, priority: priority,
            operation: operation)
    }

    /// Starts a detached Swift task that runs `operation` on `executorPreference`.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @discardableResult
    public static func detached<Success: Sendable>(
        name: String? = nil,
        executorPreference: (any TaskExecutor)?,
        priority: TaskPriority? = nil,
        operation: sending @escaping () async throws -> Success
    ) -> _Concurrency.Task<Success, any Error> {
        _Concurrency.Task.detached(
            name: name, executorPreference: executorPreference, priority: priority,
            operation: operation)
    }
}

@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
extension RequestTask {
    /// Starts a Swift task that runs `operation` at once, on the caller's thread, until its first
    /// suspension.
    @discardableResult
    public static func immediate<Success: Sendable>(
        name: String? = nil,
        priority: TaskPriority? = nil,
        executorPreference: consuming (any TaskExecutor)? = nil,
        @_implicitSelfCapture @_inheritActorContext(always)
        operation: sending @escaping @isolated(any) () async -> Success
    ) -> _Concurrency.Task<Success, Never> {
        _Concurrency.Task.immediate(
            name: name, priority: priority, executorPreference: executorPreference,
            operation: operation)
    }

    /// Starts a Swift task that runs `operation` at once, on the caller's thread, until its first
    /// suspension.
    @discardableResult
    public static func immediate<Success: Sendable>(
        name: String? = nil,
        priority: TaskPriority? = nil,
        executorPreference: consuming (any TaskExecutor)? = nil,
        @_implicitSelfCapture @_inheritActorContext(always)
        operation: sending @escaping @isolated(any) () async throws -> Success
    ) -> _Concurrency.Task<Success, any Error> {
        _Concurrency.Task.immediate(
            name: name, priority: priority, executorPreference: executorPreference,
            operation: operation)
    }

    /// Starts a detached Swift task that runs `operation` at once, on the caller's thread, until
    /// its first suspension.
    @discardableResult
    public static func immediateDetached<Success: Sendable>(
        name: String? = nil,
        priority: TaskPriority? = nil,
        executorPreference: consuming (any TaskExecutor)? = nil,
        @_implicitSelfCapture @_inheritActorContext(always)
        operation: sending @escaping @isolated(any) () async -> Success
    ) -> _Concurrency.Task<Success, Never> {
        _Concurrency.Task.immediateDetached(
            name: name, priority: priority, executorPreference: executorPreference,
            operation: operation)
    }

    /// Starts a detached Swift task that runs `operation` at once, on the caller's thread, until
    /// its first suspension.
    @discardableResult
    public static func immediateDetached<Success: Sendable>(
        name: String? = nil,
        priority: TaskPriority? = nil,
        executorPreference: consuming (any TaskExecutor)? = nil,
        @_implicitSelfCapture @_inheritActorContext(always)
        operation: sending @escaping @isolated(any) () async throws -> Success
    ) -> _Concurrency.Task<Success, any Error> {
        _Concurrency.Task.immediateDetached(
            name: name, priority: priority, executorPreference: executorPreference,
            operation: operation)
    }
}
