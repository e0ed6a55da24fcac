import Foundation
import MoyaCore

// How long an exchange may last, and how long nothing may move.
extension SessionExchange {
    /// How long nothing may move. `nil` for what bounds nothing.
    private var allowance: TimeInterval? {
        let seconds = request.urlRequest.timeoutInterval
        return seconds > 0 && seconds < 1e9 ? seconds : nil
    }

    /// When to look at the time next. `nil` for an exchange that is over, or that nothing bounds.
    func nextCheck() -> DispatchTime? {
        let (isOver, lastActivity) = state.withLock { state in
            (state.isOver, state.isPaused ? .now() : state.lastActivity)
        }
        if isOver { return nil }
        return [allowance.map { lastActivity + $0 }, deadline?.time].compactMap { $0 }.min()
    }

    /// Fails the exchange if nothing has moved for the request's `timeoutInterval`, or its deadline has come.
    ///
    /// URLSession's own timer knows whole seconds alone on some platforms, and cuts the rest off.
    func checkTheTime() {
        guard let due = nextCheck(), due <= .now() else { return }
        let url = request.urlRequest.url
        let error =
            if let deadline, deadline.time <= .now() {
                deadline.error(url: url)
            } else {
                URLError(
                    .timedOut, "Nothing moved for \(request.urlRequest.timeoutInterval) seconds.",
                    url: url)
            }
        // Before the task ends, whose own verdict would be that it was cancelled.
        fail(error)
        stop()
    }
}
