import MoyaCore

// The functions of Swift's `Task` that start a task.
extension RequestTask {
    /// Starts `operation` as a task of Swift's concurrency that inherits nothing.
    @discardableResult
    public static func detached<Success: Sendable>(
        name: String? = nil,
        priority: TaskPriority? = nil,
        operation: sending @escaping @isolated(any) () async -> Success
    ) -> _Concurrency.Task<Success, Never> {
        _Concurrency.Task.detached(name: name, priority: priority, operation: operation)
    }

    /// Starts `operation` as a task of Swift's concurrency that inherits nothing.
    @discardableResult
    public static func detached<Success: Sendable>(
        name: String? = nil,
        priority: TaskPriority? = nil,
        operation: sending @escaping @isolated(any) () async throws -> Success
    ) -> _Concurrency.Task<Success, any Error> {
        _Concurrency.Task.detached(name: name, priority: priority, operation: operation)
    }

    /// Starts `operation` on `executorPreference`, as a task of Swift's concurrency that inherits nothing.
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

    /// Starts `operation` on `executorPreference`, as a task of Swift's concurrency that inherits nothing.
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
    /// Starts `operation` as a task of Swift's concurrency, which runs at once, on the caller's thread, until it first
    /// waits.
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

    /// Starts `operation` as a task of Swift's concurrency, which runs at once, on the caller's thread, until it first
    /// waits.
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

    /// Starts `operation` as a task of Swift's concurrency that inherits nothing, and runs at once, on the caller's
    /// thread, until it first waits.
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

    /// Starts `operation` as a task of Swift's concurrency that inherits nothing, and runs at once, on the caller's
    /// thread, until it first waits.
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
