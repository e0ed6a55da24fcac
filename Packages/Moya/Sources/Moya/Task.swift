import MoyaCore

/// What a target sends and where its answer goes, by the name Moya gives it.
///
/// `Task { await … }` still starts a task of Swift's concurrency, and so do the members below. As a type it is written
/// `_Concurrency.Task<Void, Never>`, or the file has `import struct _Concurrency.Task` and its targets say `Moya.Task`.
/// `import MoyaKit` in place of `import Moya` leaves Swift's name alone.
public typealias Task = RequestTask

// What code says to `Task` when it means the one of Swift's concurrency.
extension RequestTask {
    /// Whether the current task of Swift's concurrency is cancelled.
    public static var isCancelled: Bool { _Concurrency.Task<Never, Never>.isCancelled }

    /// The priority of the current task of Swift's concurrency.
    public static var currentPriority: TaskPriority {
        _Concurrency.Task<Never, Never>.currentPriority
    }

    /// The priority that the current task of Swift's concurrency was given, or `nil` outside of a task.
    public static var basePriority: TaskPriority? { _Concurrency.Task<Never, Never>.basePriority }

    /// The name of the current task of Swift's concurrency, or `nil` where it has none.
    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    public static var name: String? { _Concurrency.Task<Never, Never>.name }

    /// Throws `CancellationError` if the current task of Swift's concurrency is cancelled.
    public static func checkCancellation() throws {
        try _Concurrency.Task<Never, Never>.checkCancellation()
    }

    /// Lets other tasks of Swift's concurrency run.
    public static func yield() async {
        await _Concurrency.Task<Never, Never>.yield()
    }
}

extension RequestTask {
    /// Waits without holding a thread.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public static func sleep(nanoseconds duration: UInt64) async throws {
        try await _Concurrency.Task<Never, Never>.sleep(nanoseconds: duration)
    }

    /// Waits without holding a thread, and up to `tolerance` longer.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
    public static func sleep<C: Clock>(
        for duration: C.Instant.Duration, tolerance: C.Instant.Duration? = nil,
        clock: C = .continuous
    ) async throws {
        try await _Concurrency.Task<Never, Never>.sleep(
            for: duration, tolerance: tolerance, clock: clock)
    }

    /// Waits until `deadline` without holding a thread, and up to `tolerance` longer.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
    public static func sleep<C: Clock>(
        until deadline: C.Instant, tolerance: C.Instant.Duration? = nil, clock: C = .continuous
    ) async throws {
        try await _Concurrency.Task<Never, Never>.sleep(
            until: deadline, tolerance: tolerance, clock: clock)
    }
}
