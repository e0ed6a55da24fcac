import MoyaCore

/// The body of a target's request and the destination of its response, under Moya's name.
///
/// `Task { await … }` still starts a Swift concurrency task, as do the static members below.
/// Swift's type is `_Concurrency.Task<Void, Never>`. Alternatively, a file with `import struct
/// _Concurrency.Task` uses Swift's name, and its targets use `Moya.Task`. `import MoyaKit` instead
/// of `import Moya` leaves Swift's name unchanged.
public typealias Task = RequestTask

// Static members of Swift's `Task`.
extension RequestTask {
    /// Whether the current Swift task is cancelled.
    public static var isCancelled: Bool { _Concurrency.Task<Never, Never>.isCancelled }

    /// The priority of the current Swift task.
    public static var currentPriority: TaskPriority {
        _Concurrency.Task<Never, Never>.currentPriority
    }

    /// The base priority of the current Swift task, or `nil` outside of a task.
    public static var basePriority: TaskPriority? { _Concurrency.Task<Never, Never>.basePriority }

    /// The name of the current Swift task, or `nil` if it has no name.
    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    public static var name: String? { _Concurrency.Task<Never, Never>.name }

    /// Throws `CancellationError` if the current Swift task is cancelled.
    public static func checkCancellation() throws {
        try _Concurrency.Task<Never, Never>.checkCancellation()
    }

    /// Suspends the current Swift task, so that other tasks can run.
    public static func yield() async {
        await _Concurrency.Task<Never, Never>.yield()
    }
}

extension RequestTask {
    /// Suspends the current Swift task for `duration` nanoseconds, without blocking a thread.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public static func sleep(nanoseconds duration: UInt64) async throws {
        try await _Concurrency.Task<Never, Never>.sleep(nanoseconds: duration)
    }

    /// Suspends the current Swift task for `duration`, and up to `tolerance` longer, without
    /// blocking a thread.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public static func sleep<C: Clock>(
        for duration: C.Instant.Duration, tolerance: C.Instant.Duration? = nil,
        clock: C = .continuous
    ) async throws {
        try await _Concurrency.Task<Never, Never>.sleep(
            for: duration, tolerance: tolerance, clock: clock)
    }

    /// Suspends the current Swift task until `deadline`, and up to `tolerance` longer, without
    /// blocking a thread.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public static func sleep<C: Clock>(
        until deadline: C.Instant, tolerance: C.Instant.Duration? = nil, clock: C = .continuous
    ) async throws {
        try await _Concurrency.Task<Never, Never>.sleep(
            until: deadline, tolerance: tolerance, clock: clock)
    }
}
