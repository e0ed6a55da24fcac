#if CURL
import Foundation
import MoyaCore
import MoyaInternals

/// Counts the exchanges of a transport, and lets tasks wait for the last one.
final class ExchangeCount: Sendable {
    private struct State {
        var count = 0
        var isClosed = false
        var waiting: [UUID: CheckedContinuation<Void, any Error>] = [:]
    }

    private let state = Locked(State())

    /// Counts one more. `false` where no more may begin.
    func begin() -> Bool {
        state.withLock { state in
            if state.isClosed { return false }
            state.count += 1
            return true
        }
    }

    /// Counts a part of an exchange that has begun, and may outlast the rest of it.
    func beginPart() { state.withLock { $0.count += 1 } }

    func end() {
        let waiting = state.withLock { state in
            state.count -= 1
            guard state.count == 0 else { return [UUID: CheckedContinuation<Void, any Error>]() }
            defer { state.waiting = [:] }
            return state.waiting
        }
        for continuation in waiting.values { continuation.resume() }
    }

    /// Whether a task waits for the last one.
    var isAwaited: Bool { state.withLock { !$0.waiting.isEmpty } }

    /// Lets no more begin.
    func close() { state.withLock { $0.isClosed = true } }

    /// Waits until none is under way, or the task is cancelled.
    func waitUntilNone() async {
        // A cancelled task throws, which is an end of the wait like any other.
        try? await suspend { id, continuation in
            state.withLock { state in
                guard state.count > 0 else { return .success(()) }
                state.waiting[id] = continuation
                return nil
            }
        } giveUp: { id in
            state.withLock { $0.waiting.removeValue(forKey: id) }
        }
    }
}
#endif
