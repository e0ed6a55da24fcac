import Foundation

/// Work that may wait for a disk for as long as that takes.
public enum DiskWork {
    /// Does `work` on a thread that may wait.
    ///
    /// All tasks of a process share a few threads, and those that prefer a transport's executor share its only one:
    /// work that waits there holds up all other requests. Goes on to its end where the task is cancelled.
    /// Nothing of it is left when the caller goes on, who may count on a file that it held to be free by then.
    ///
    /// A ``SimulatedProcess`` has one thread, which does the work itself.
    ///
    /// - Parameter queue: Where the work waits for its turn.
    public static func perform<Value: Sendable, Failure: Error>(
        on queue: DispatchQueue = .global(),
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        if SimulatedProcess.current != nil {
            return try queue.sync { Result { () throws(Failure) -> Value in try work() } }.get()
        }
        // The queue lets go of what it has done some time after that.
        let waiting = Locked<(@Sendable () throws(Failure) -> Value)?>(work)
        let result = await withCheckedContinuation { continuation in
            queue.async {
                let result = waiting.withLock { $0.take() }.map { work in
                    Result { () throws(Failure) -> Value in try work() }
                }
                if let result { continuation.resume(returning: result) }
            }
        }
        return try result.get()
    }
}
