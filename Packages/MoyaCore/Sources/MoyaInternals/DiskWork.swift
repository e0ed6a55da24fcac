import Foundation

/// Disk I/O off the cooperative thread pool.
public enum DiskWork {
    /// Runs a block on a queue.
    public typealias Start = @Sendable (DispatchQueue, @escaping @Sendable () -> Void) -> Void

    /// Starts the work of the current task: by default asynchronously, on the queue's threads.
    /// MoyaTesting's explorer runs it synchronously, so that its runs have one order. Must run each
    /// block.
    @TaskLocal public static var start: Start = { queue, work in queue.async(execute: work) }

    /// Runs `work` on a dispatch queue, whose threads may block.
    ///
    /// Blocking I/O on the cooperative thread pool, or on a transport's single-threaded executor,
    /// would delay other requests. If the task is cancelled, `work` still runs to its end. The
    /// closure is released before this method returns, so that the caller can rely on the release
    /// of a file that `work` captured.
    ///
    /// - Parameter queue: The queue of the work.
    public static func perform<Value: Sendable, Failure: Error>(
        on queue: DispatchQueue = .global(),
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        // A queue may release a block some time after it has run. Taking the closure out of the
        // lock releases it before the continuation is resumed. Not stored as a function with typed
        // throws: as a generic argument, its type is known at run time from macOS 15 on.
        let waiting = Locked<(@Sendable () -> Result<Value, Failure>)?> {
            Result { () throws(Failure) -> Value in try work() }
        }
        let result = await withCheckedContinuation { continuation in
            start(queue) {
                let result = waiting.withLock { $0.take() }.map { $0() }
                if let result { continuation.resume(returning: result) }
            }
        }
        return try result.get()
    }

    /// Like ``perform(on:_:)``, but passes `work` a function that throws `cancellation` once the
    /// task is cancelled. On the queue, `Task.isCancelled` is not available.
    public static func perform<Value: Sendable>(
        throwing cancellation: any Error,
        _ work: @escaping @Sendable (_ checkCancellation: () throws -> Void) throws -> Value
    ) async throws -> Value {
        let isCancelled = Locked(false)
        return try await withTaskCancellationHandler {
            try await perform {
                try work { if isCancelled.withLock({ $0 }) { throw cancellation } }
            }
        } onCancel: {
            isCancelled.withLock { $0 = true }
        }
    }
}
