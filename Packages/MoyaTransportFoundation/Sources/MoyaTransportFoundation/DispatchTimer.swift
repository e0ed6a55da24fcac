import Dispatch
@_spi(MoyaInternals) import MoyaCore

/// A timer that costs nothing any more once it is cancelled.
final class DispatchTimer: Sendable {
    private struct State {
        var source: (any DispatchSourceTimer)?
        var isCancelled = false
    }

    private let state = Locked(State())

    /// Calls `handler` at `time`, in place of what was scheduled before.
    func schedule(at time: DispatchTime, _ handler: @escaping @Sendable () -> Void) {
        state.withLock { state in
            guard !state.isCancelled else { return }
            let isNew = state.source == nil
            let source = state.source ?? DispatchSource.makeTimerSource(queue: .global())
            state.source = source
            source.setEventHandler(handler: handler)
            source.schedule(deadline: time, leeway: .milliseconds(1))
            if isNew { source.resume() }
        }
    }

    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            state.source?.cancel()
            state.source = nil
        }
    }

    deinit { cancel() }
}
