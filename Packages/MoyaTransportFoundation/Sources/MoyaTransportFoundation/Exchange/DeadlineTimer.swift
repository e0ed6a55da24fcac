import Foundation
import MoyaCore
import MoyaInternals

/// One timer for the deadlines of all exchanges of a transport.
///
/// A timer for each request would cost more than the rest of what this module does for it, and nearly all of them would be
/// cancelled.
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

    /// Calls `check` at each deadline, on any thread. `check` returns the next one.
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

    /// Fires at `time`, or earlier.
    func schedule(_ time: DispatchTime?) {
        state.withLock { $0.set(time) }
    }

    deinit {
        state.withLock { $0.timer.cancel() }
    }
}
