// With `import Moya` the name `Task` means a request's task, as in code written for Moya. These
// functions have the same name, so that `Task { await … }` still starts a Swift concurrency task.
//
// The functions have a separate module, because a module cannot declare a function and a type with
// the same name. They are disfavored, because a file with `import struct _Concurrency.Task` also
// sees Swift's initializers, and calls would be ambiguous.

/// Starts a Swift concurrency task that runs `operation` on the caller's actor.
@_disfavoredOverload @discardableResult
public func Task<Success: Sendable>(
    name: String? = nil,
    priority: TaskPriority? = nil,
    @_inheritActorContext @_implicitSelfCapture
    operation: sending @escaping @isolated(any) () async -> Success
) -> _Concurrency.Task<Success, Never> {
    _Concurrency.Task(name: name, priority: priority, operation: operation)
}

/// Starts a Swift concurrency task that runs `operation` on the caller's actor.
@_disfavoredOverload @discardableResult
public func Task<Success: Sendable>(
    name: String? = nil,
    priority: TaskPriority? = nil,
    @_inheritActorContext @_implicitSelfCapture
    operation: sending @escaping @isolated(any) () async throws -> Success
) -> _Concurrency.Task<Success, any Error> {
    _Concurrency.Task(name: name, priority: priority, operation: operation)
}

/// Starts a Swift concurrency task that runs `operation` on `executorPreference`.
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

/// Starts a Swift concurrency task that runs `operation` on `executorPreference`.
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
