import Foundation
import MoyaCore

// Deadline and idle timeout of an exchange.
extension SessionExchange {
    /// Idle timeout, in seconds. `nil` if the request has no timeout.
    private var allowance: TimeInterval? {
        let seconds = request.urlRequest.timeoutInterval
        return seconds > 0 && seconds < 1e9 ? seconds : nil
    }

    /// Time of the next check. `nil` if the exchange is over or has neither a deadline nor an idle
    /// timeout.
    func nextCheck() -> DispatchTime? {
        let (isOver, lastActivity) = state.withLock { state in
            (state.isOver, state.isPaused ? .now() : state.lastActivity)
        }
        if isOver { return nil }
        return [allowance.map { lastActivity + $0 }, deadline?.time].compactMap { $0 }.min()
    }

    /// Fails the exchange if it has been idle for the request's `timeoutInterval`, or its deadline
    /// has passed.
    ///
    /// URLSession's timer is not used: on some platforms, it truncates the interval to whole
    /// seconds.
    func checkTheTime() {
        guard let due = nextCheck(), due <= .now() else { return }
        let url = request.urlRequest.url
        let error =
            if let deadline, deadline.time <= .now() {
                deadline.error(url: url)
            } else {
                URLError(
                    .timedOut,
                    "No data was sent or received for "
                        + "\(request.urlRequest.timeoutInterval) seconds.", url: url)
            }
        // Fails the exchange before the task is stopped, because the task would report a
        // cancellation.
        fail(error)
        stop()
    }
}
