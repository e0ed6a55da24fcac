// Under `import Moya` the name `Task` means a request's task, as it does in code written for Moya. These
// functions have the same name and make a task of Swift's concurrency all the same: `Task { await … }`.
// They stand in a module of their own, because a module cannot have a function and a type of one name.

/// Starts `operation` as a task of Swift's concurrency, on the caller's actor.
@discardableResult
public func Task<Success: Sendable>(
    priority: TaskPriority? = nil,
    @_inheritActorContext @_implicitSelfCapture operation:
        sending @escaping @isolated(any) () async ->
        Success
) -> _Concurrency.Task<Success, Never> {
    _Concurrency.Task(priority: priority, operation: operation)
}

/// Starts `operation` as a task of Swift's concurrency, on the caller's actor.
@discardableResult
public func Task<Success: Sendable>(
    priority: TaskPriority? = nil,
    @_inheritActorContext @_implicitSelfCapture operation:
        sending @escaping @isolated(any) () async throws
        -> Success
) -> _Concurrency.Task<Success, any Error> {
    _Concurrency.Task(priority: priority, operation: operation)
}
