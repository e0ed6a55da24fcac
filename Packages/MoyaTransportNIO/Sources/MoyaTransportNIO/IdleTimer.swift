#if AsyncHTTPClient
    import Foundation
    import NIOConcurrencyHelpers
    import NIOCore

    /// Calls an action after an idle period.
    ///
    /// Progress only records the time. If the deadline was early, another one is added.
    ///
    /// Data that has arrived is progress only when a task has read it. So a task confirms that the
    /// period is over. If that task had to wait for a thread, others had to as well, and a new
    /// period begins.
    final class IdleTimer: Sendable {
        private enum State {
            case unarmed
            case counting(Deadlines.ID, since: NIODeadline)
            /// The reader of the response causes the delay, so no progress is expected.
            case paused(Deadlines.ID)
            case over
        }

        private let state = NIOLockedValueBox(State.unarmed)
        private let limit: TimeAmount?
        private let deadlines: Deadlines
        private let expire: @Sendable () -> Void
        /// Priority of the tasks that read.
        private let priority = Task.currentPriority

        /// Creates a timer.
        ///
        /// - Parameters:
        ///   - seconds: Idle timeout in seconds. 0 or less sets none.
        ///   - expire: Called at most once, by a task.
        init(
            seconds: TimeInterval, on deadlines: Deadlines, expire: @escaping @Sendable () -> Void
        ) {
            limit = seconds > 0 ? .nanoseconds(Int64(min(seconds, 1e9) * 1e9)) : nil
            self.deadlines = deadlines
            self.expire = expire
        }

        /// Starts the timer. Has no effect after the first call.
        func start() {
            guard let limit else { return }
            state.withLockedValue { state in
                guard case .unarmed = state else { return }
                let now = deadlines.now
                state = .counting(schedule(now + limit), since: now)
            }
        }

        /// Records progress.
        func move() {
            state.withLockedValue { state in
                if case .counting(let scheduled, _) = state {
                    state = .counting(scheduled, since: deadlines.now)
                }
            }
        }

        /// Pauses the timer.
        func pause() {
            state.withLockedValue { state in
                if case .counting(let scheduled, _) = state { state = .paused(scheduled) }
            }
        }

        /// Resumes the timer with the full idle period.
        func resume() {
            state.withLockedValue { state in
                if case .paused(let scheduled) = state {
                    state = .counting(scheduled, since: deadlines.now)
                }
            }
        }

        /// Stops the timer without calling the action.
        func stop() {
            let scheduled = state.withLockedValue { state -> Deadlines.ID? in
                defer { state = .over }
                switch state {
                case .counting(let scheduled, _), .paused(let scheduled): return scheduled
                case .unarmed, .over: return nil
                }
            }
            if let scheduled { deadlines.cancel(scheduled) }
        }

        private func schedule(_ deadline: NIODeadline) -> Deadlines.ID {
            deadlines.add(deadline) { self.check() }
        }

        private func check() {
            guard let limit else { return }
            let end = state.withLockedValue { state -> NIODeadline? in
                let now = deadlines.now
                switch state {
                case .counting(_, let since) where since + limit <= now: return now
                case .counting(_, let since):
                    state = .counting(schedule(since + limit), since: since)
                case .paused: state = .paused(schedule(now + limit))
                case .unarmed, .over: break
                }
                return nil
            }
            if let end { Task(priority: priority) { self.confirm(end, limit) } }
        }

        /// Expires if there has been no progress until `end`, the end of the period.
        private func confirm(_ end: NIODeadline, _ limit: TimeAmount) {
            let isExpired = state.withLockedValue { state in
                let now = deadlines.now
                switch state {
                case .counting(_, let since) where since + limit <= end:
                    if now - end <= min(.nanoseconds(limit.nanoseconds / 2), .seconds(1)) {
                        state = .over
                        return true
                    }
                    state = .counting(schedule(now + limit), since: now)
                case .counting(_, let since):
                    state = .counting(schedule(since + limit), since: since)
                case .paused: state = .paused(schedule(now + limit))
                case .unarmed, .over: break
                }
                return false
            }
            if isExpired { expire() }
        }
    }
#endif
