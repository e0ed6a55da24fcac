import Foundation
import MoyaCore

/// Reports to the observer of a request that it waits in a queue, and that it has left the queue.
/// Does nothing without an observer.
struct QueueWait {
    let request: TransportRequest?
    private var start: TimeInterval?

    init(of request: TransportRequest?) {
        self.request = request
    }

    /// The request is about to wait. Later calls do nothing.
    mutating func begin(waitingCount: @autoclosure () -> Int) {
        guard start == nil, let request, let observer = request.observer else { return }
        start = SystemClock.system.uptime
        observer(.queued(request, waitingCount: waitingCount()))
    }

    /// The request has left the queue, if it was in it.
    func end(waitingCount: @autoclosure () -> Int) {
        guard let start, let request else { return }
        request.observer?(
            .dequeued(
                request, waitingCount: waitingCount(), wait: SystemClock.system.uptime - start))
    }
}
