import Foundation
import MoyaCore
import MoyaInternals

/// Counts the exchanges of a transport, and lets tasks wait for the last one.
final class ExchangeCount: Sendable {
    fileprivate struct State {
        var count = 0
        var isClosed = false
        var waiting: [UUID: CheckedContinuation<Void, Never>] = [:]
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
            return state.count == 0 ? state.takeWaiting() : []
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Whether a task waits for the last one.
    var isAwaited: Bool { state.withLock { !$0.waiting.isEmpty } }

    /// Lets no more begin.
    func close() { state.withLock { $0.isClosed = true } }

    /// Waits until none is under way, or the task is cancelled.
    func waitUntilNone() async {
        let id = UUID()
        await withTaskCancellationHandler {
            // Resumed once: by `end` or by the cancellation handler, whichever takes the continuation out of the state under its
            // lock. A handler that has run before finds no continuation, and here the task is found cancelled.
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.count == 0 || Task.isCancelled { return true }
                    state.waiting[id] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
        }
    }
}

extension ExchangeCount.State {
    fileprivate mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
        if waiting.isEmpty { return [] }
        defer { waiting = [:] }
        return Array(waiting.values)
    }
}
