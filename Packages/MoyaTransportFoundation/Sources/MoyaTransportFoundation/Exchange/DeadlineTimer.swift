import Foundation
import MoyaCore
import MoyaInternals

/// Shared timer for the deadlines of all exchanges of a transport.
///
/// A timer for each request would cost more than all other work of this module for a request, and
/// nearly all timers would be cancelled.
final class DeadlineTimer: Sendable {
    private struct State {
        let timer: any DispatchSourceTimer
        var due: DispatchTime?

        mutating func set(_ time: DispatchTime?) {
            guard let time, due.map({ time < $0 }) ?? true else { return }
            due = time
            timer.schedule(deadline: time)
        }
    }

    private let state = Locked(
        State(timer: DispatchSource.makeTimerSource(queue: .global())))

    /// Calls `check` at each scheduled time, on a global dispatch queue. `check` returns the next
    /// time.
    func start(_ check: @escaping @Sendable () -> DispatchTime?) {
        state.withLock { state in
            state.timer.setEventHandler { [weak self] in
                self?.state.withLock { $0.due = nil }
                let next = check()
                self?.state.withLock { $0.set(next) }
            }
            state.timer.activate()
        }
    }

    /// Schedules a call at `time`, unless an earlier one is scheduled.
    func schedule(_ time: DispatchTime?) {
        state.withLock { $0.set(time) }
    }

    deinit {
        state.withLock { $0.timer.cancel() }
    }
}
