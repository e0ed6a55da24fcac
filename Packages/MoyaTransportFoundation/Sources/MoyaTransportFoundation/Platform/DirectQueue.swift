import Foundation

/// Operation queue that runs each session callback synchronously on the calling thread.
///
/// On Linux, URLSession reads from the network regardless of how fast its delegate processes the
/// data, and keeps everything in memory. A synchronous callback makes URLSession wait. Code on this
/// queue must not wait for the session. The queue also saves two thread switches per callback.
final class DirectQueue: OperationQueue, @unchecked Sendable {
    // Safe: the subclass adds no state.
    override func addOperation(_ report: @escaping @Sendable () -> Void) {
        report()
    }
}
