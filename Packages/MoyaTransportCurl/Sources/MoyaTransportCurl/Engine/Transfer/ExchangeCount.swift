#if CURL
import Foundation
import MoyaInternals

/// Counts a transport's exchanges, and lets tasks wait until there are none.
final class ExchangeCount: Sendable {
    private struct State {
        var count = 0
        var isClosed = false
        var waiting: [UUID: CheckedContinuation<Void, any Error>] = [:]
    }

    private let state = Locked(State())

    /// Begins an exchange. Returns `false` after ``close()``.
    func begin() -> Bool {
        state.withLock { state in
            if state.isClosed { return false }
            state.count += 1
            return true
        }
    }

    /// Begins a part of a running exchange, which may outlast the rest of it.
    func beginPart() { state.withLock { $0.count += 1 } }

    /// Ends an exchange or a part. After the last one, resumes the waiting tasks.
    func end() {
        let waiting = state.withLock { state in
            state.count -= 1
            return state.count == 0 ? exchange(&state.waiting, with: [:]) : [:]
        }
        for continuation in waiting.values { continuation.resume() }
    }

    /// Whether a task waits for the last exchange.
    var isAwaited: Bool { state.withLock { !$0.waiting.isEmpty } }

    /// Lets no further exchange begin.
    func close() { state.withLock { $0.isClosed = true } }

    /// Waits until no exchange is running, or the task is cancelled.
    ///
    /// The last exchange may end on the loop's thread at any time:
    ///
    /// 1. If ``end()`` takes the lock first, the count is 0 and the wait ends at once.
    /// 2. If the wait takes it first, the continuation is stored, and ``end()`` finds it.
    /// 3. If ``end()`` and a cancel both come, the first to take the lock removes the continuation
    ///    and resumes it. The second finds none.
    func waitUntilNone() async {
        // The wait throws if the task is cancelled, which ends it as well.
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
