import Foundation

/// Work that may wait for a disk for as long as that takes.
public enum DiskWork {
    /// Does `work` on a thread that may wait.
    ///
    /// All tasks of a process share a few threads, and those that prefer a transport's executor share its only one:
    /// work that waits there holds up all other requests. Goes on to its end where the task is cancelled.
    /// Nothing of it is left when the caller goes on, who may count on a file that it held to be free by then.
    public static func perform<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        // The queue lets go of what it has done some time after that.
        let waiting = Locked<(@Sendable () throws(Failure) -> Value)?>(work)
        let result = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                let result = waiting.withLock { $0.take() }.map { work in
                    Result { () throws(Failure) -> Value in try work() }
                }
                if let result { continuation.resume(returning: result) }
            }
        }
        return try result.get()
    }
}
