#if AsyncHTTPClient
    import Foundation
    import NIOConcurrencyHelpers
    import NIOCore

    /// Deadlines of any number of requests, on few scheduled tasks of an event loop. Outdated tasks
    /// have no effect.
    ///
    /// Cancelling a scheduled task of an event loop searches all of its tasks. Here, adding a
    /// deadline takes logarithmic time, and cancelling it constant time on average.
    final class Deadlines: Sendable {
        typealias Action = @Sendable () -> Void

        /// Identifier of a pending deadline.
        struct ID: Sendable, Hashable {
            fileprivate let number: Int
        }

        private struct Entry: Comparable {
            let deadline: NIODeadline
            let id: ID

            static func < (a: Entry, b: Entry) -> Bool { a.deadline < b.deadline }
        }

        private struct State {
            var actions: [ID: Action] = [:]
            /// Also has entries of cancelled deadlines, at most as many as others and some more.
            var entries = MinHeap<Entry>()
            var count = 0
            /// Deadline of the scheduled task. Tasks for other deadlines have no effect.
            var scheduled: NIODeadline?
        }

        private let loop: any EventLoop
        private let state = NIOLockedValueBox(State())

        init(on loop: any EventLoop) { self.loop = loop }

        var now: NIODeadline { loop.now }

        /// Returns the time `seconds` from now. `nil`, meaning never, from 1e9 on.
        func time(_ seconds: TimeInterval) -> NIODeadline? {
            seconds < 1e9 ? now + .nanoseconds(Int64(max(0, seconds) * 1e9)) : nil
        }

        /// Calls `action` at `deadline`, on the event loop.
        func add(_ deadline: NIODeadline, _ action: @escaping Action) -> ID {
            let (id, isFirst) = state.withLockedValue { state in
                state.count += 1
                let id = ID(number: state.count)
                state.actions[id] = action
                state.entries.insert(Entry(deadline: deadline, id: id))
                let isFirst = state.scheduled.map { deadline < $0 } ?? true
                if isFirst { state.scheduled = deadline }
                return (id, isFirst)
            }
            if isFirst { schedule(deadline) }
            return id
        }

        func cancel(_ id: ID) {
            state.withLockedValue { state in
                guard state.actions.removeValue(forKey: id) != nil,
                    state.entries.elements.count > 2 * state.actions.count + 100
                else { return }
                let actions = state.actions
                state.entries.removeAll { actions[$0.id] == nil }
            }
        }

        private func schedule(_ deadline: NIODeadline) {
            loop.scheduleTask(deadline: deadline) { [weak self] in self?.pass(deadline) }
        }

        private func pass(_ deadline: NIODeadline) {
            let (due, next) = state.withLockedValue { state -> ([Action], NIODeadline?) in
                guard state.scheduled == deadline else { return ([], nil) }
                let now = loop.now
                var due: [Action] = []
                while let entry = state.entries.first {
                    let action = state.actions[entry.id]
                    guard action == nil || entry.deadline <= now else { break }
                    state.entries.removeFirst()
                    state.actions[entry.id] = nil
                    if let action { due.append(action) }
                }
                state.scheduled = state.entries.first?.deadline
                return (due, state.scheduled)
            }
            if let next { schedule(next) }
            for action in due { action() }
        }
    }
#endif
