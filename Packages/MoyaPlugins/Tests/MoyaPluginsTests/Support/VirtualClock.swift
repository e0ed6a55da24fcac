import Foundation
@_spi(MoyaInternals) import MoyaCore
import MoyaPlugins

/// A clock that a test moves. Nobody waits for real time.
final class VirtualClock: LayerClock {
    private struct Sleeper {
        let end: TimeInterval
        let answer: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var elapsed: TimeInterval = 0
        var sleeps: [TimeInterval] = []
        var sleepers: [UUID: Sleeper] = [:]
        var arrivals: [(count: Int, answer: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Locked(State())
    private let start: Date
    private let movesByItself: Bool

    /// - Parameter movesByItself: Whether whoever sleeps moves the clock and goes on at once.
    init(movesByItself: Bool = false, start: Date = Date(timeIntervalSince1970: 784_111_777)) {
        self.movesByItself = movesByItself
        self.start = start
    }

    var now: Date { start + uptime }
    var uptime: TimeInterval { state.withLock(\.elapsed) }
    /// How long each sleep was to be, in the order in which they began.
    var sleeps: [TimeInterval] { state.withLock(\.sleeps) }

    func sleep(for seconds: TimeInterval) async throws {
        try Task.checkCancellation()
        if movesByItself {
            state.withLock { $0.sleeps.append(seconds) }
            return advance(by: seconds)
        }
        let id = UUID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let arrived = state.withLock { state in
                    state.sleeps.append(seconds)
                    state.sleepers[id] = Sleeper(
                        end: state.elapsed + seconds, answer: continuation)
                    let met = state.arrivals.filter { $0.count <= state.sleepers.count }
                    state.arrivals.removeAll { $0.count <= state.sleepers.count }
                    return met
                }
                for waiter in arrived { waiter.answer.resume() }
                if Task.isCancelled { cancel(id) } else { wake() }
            }
        } onCancel: {
            cancel(id)
        }
    }

    /// Moves the clock, and wakes whoever has slept long enough.
    func advance(by seconds: TimeInterval) {
        state.withLock { $0.elapsed += seconds }
        wake()
    }

    /// Waits until `count` are asleep.
    func waitForSleepers(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isMet = state.withLock { state in
                if state.sleepers.count >= count { return true }
                state.arrivals.append((count, continuation))
                return false
            }
            if isMet { continuation.resume() }
        }
    }

    private func wake() {
        let due = state.withLock { state in
            let due = state.sleepers.filter { $0.value.end <= state.elapsed }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.sorted { $0.end < $1.end }
        }
        for sleeper in due { sleeper.answer.resume() }
    }

    private func cancel(_ id: UUID) {
        state.withLock { $0.sleepers.removeValue(forKey: id) }?
            .answer.resume(throwing: CancellationError())
    }
}
