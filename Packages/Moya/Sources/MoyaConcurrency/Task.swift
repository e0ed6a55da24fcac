// Under `import Moya` the name `Task` means a request's task, as it does in code written for Moya. These
// functions have the same name and make a task of Swift's concurrency all the same: `Task { await … }`.
// They stand in a module of their own, because a module cannot have a function and a type of one name. They are disfavoured,
// because a file with `import struct _Concurrency.Task` sees Swift's initialisers beside them, and calls would be ambiguous.

/// Starts `operation` as a task of Swift's concurrency, on the caller's actor.
@_disfavoredOverload @discardableResult
public func Task<Success: Sendable>(
    name: String? = nil,
    priority: TaskPriority? = nil,
    @_inheritActorContext @_implicitSelfCapture
    operation: sending @escaping @isolated(any) () async -> Success
) -> _Concurrency.Task<Success, Never> {
    _Concurrency.Task(name: name, priority: priority, operation: operation)
}

/// Starts `operation` as a task of Swift's concurrency, on the caller's actor.
@_disfavoredOverload @discardableResult
public func Task<Success: Sendable>(
    name: String? = nil,
    priority: TaskPriority? = nil,
    @_inheritActorContext @_implicitSelfCapture
    operation: sending @escaping @isolated(any) () async throws -> Success
) -> _Concurrency.Task<Success, any Error> {
    _Concurrency.Task(name: name, priority: priority, operation: operation)
}

/// Starts `operation` as a task of Swift's concurrency, on `executorPreference`.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
@_disfavoredOverload @discardableResult
public func Task<Success: Sendable>(
    name: String? = nil,
    executorPreference: (any TaskExecutor)?,
    priority: TaskPriority? = nil,
    operation: sending @escaping () async -> Success
) -> _Concurrency.Task<Success, Never> {
    _Concurrency.Task(
        name: name, executorPreference: executorPreference, priority: priority,
        operation: operation)
}

/// Starts `operation` as a task of Swift's concurrency, on `executorPreference`.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
@_disfavoredOverload @discardableResult
public func Task<Success: Sendable>(
    name: String? = nil,
    executorPreference: (any TaskExecutor)?,
    priority: TaskPriority? = nil,
    operation: sending @escaping () async throws -> Success
) -> _Concurrency.Task<Success, any Error> {
    _Concurrency.Task(
        name: name, executorPreference: executorPreference, priority: priority,
        operation: operation)
}
