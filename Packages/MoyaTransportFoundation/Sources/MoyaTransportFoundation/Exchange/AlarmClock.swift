import Foundation
import MoyaCore
import MoyaInternals

/// Rings when the first of many moments comes.
///
/// One timer for a whole transport: setting and clearing one for each request costs more than the rest of what is
/// done for it here, and nearly all of them are cleared.
final class AlarmClock: Sendable {
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

    /// Calls `ring` at each moment that is set, on any thread. It says which moment comes next.
    func start(_ ring: @escaping @Sendable () -> DispatchTime?) {
        state.withLock { state in
            state.timer.setEventHandler { [weak self] in
                self?.state.withLock { $0.due = nil }
                let next = ring()
                self?.state.withLock { $0.set(next) }
            }
            state.timer.activate()
        }
    }

    /// Rings at `time`, or earlier.
    func watch(_ time: DispatchTime?) {
        state.withLock { $0.set(time) }
    }

    deinit {
        state.withLock { $0.timer.cancel() }
    }
}
