import Foundation
import MoyaInternals

/// A request with a completion, which is called exactly once even if a result, a cancel and a
/// release of the provider race.
final class PendingRequest: Cancellable {
    typealias Deliver = @Sendable (Outcome) -> Void
    typealias Registry = Locked<[ObjectIdentifier: (request: PendingRequest, endpoint: Endpoint)]>

    private enum Phase {
        /// Waiting for the request closure, or, after `willSend` (`wasSent`), for the transport. A
        /// cancel completes the request at once.
        case waiting(wasSent: Bool)
        /// Being prepared or delivered: a cancel replaces the result at the end, unless a file was
        /// moved. Or sharing a response: the task's cancel ends the wait.
        case busy
        /// Its completion has been enqueued. A cancel takes effect as in `busy`.
        case ended
    }

    private struct State {
        var phase = Phase.waiting(wasSent: false)
        /// The error of a cancelled request.
        var cancellation: MoyaError?
        var task: Task<Void, Never>?
        /// Released when it is called, so that a retained token does not retain the caller's
        /// captures.
        var deliver: Deliver?

        var hasEnded: Bool { if case .ended = phase { true } else { false } }
    }

    private let state: Locked<State>
    /// The queue of the plugins and the completion. `nil`, for an immediate stub alone, runs them
    /// on the thread that delivers the result.
    private let queue: DispatchQueue?
    private let registry: Registry

    /// - Parameters:
    ///   - registry: Retains the request until its completion has run.
    ///   - deliver: Called once, with the outcome.
    init(on queue: DispatchQueue?, in registry: Registry, deliver: @escaping Deliver) {
        self.queue = queue
        self.registry = registry
        state = Locked(State(deliver: deliver))
    }

    var isCancelled: Bool { state.withLock { $0.cancellation != nil } }

    /// Starts the task of the request, on the caller's thread until it suspends. Before macOS 26
    /// and iOS 26, on another thread.
    func run(_ operation: @escaping @Sendable () async -> Outcome) {
        let work = { @Sendable in self.complete(await operation()) }
        let task: Task<Void, Never>
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            task = Task.immediate(operation: work)
        } else {
            task = Task(operation: work)
        }
        // A cancel before `state.task` was set could not cancel the task.
        let wasCancelled = state.withLock { state in
            if !state.hasEnded { state.task = task }
            return state.cancellation != nil
        }
        if wasCancelled { task.cancel() }
    }

    /// Enters `step`. Returns `false` if it does not follow now, or if the request was cancelled.
    @Sendable func claim(_ step: Pipeline.Step) -> Bool {
        state.withLock { state in
            switch (step, state.phase) {
            case (.prepare, .waiting(wasSent: false)): state.phase = .busy
            case (.send, .busy): state.phase = .waiting(wasSent: true)
            case (.share, .busy): break
            case (.deliver, .waiting(wasSent: true)) where state.cancellation == nil:
                state.phase = .busy
            default: return false
            }
            return state.cancellation == nil
        }
    }

    func cancel() { cancel(with: .cancelled) }

    /// Cancels the request. Its completion does not wait for the transport to notice.
    ///
    /// - Parameter error: The result of the request.
    func cancel(with error: MoyaError) {
        let (task, outcome) = state.withLock { state -> (Task<Void, Never>?, Outcome?) in
            guard state.cancellation == nil else { return (nil, nil) }
            state.cancellation = error
            guard case .waiting(let wasSent) = state.phase else { return (state.task, nil) }
            return (state.task, .cancelled(wasSent: wasSent))
        }
        task?.cancel()
        if let outcome { complete(outcome) }
    }

    /// Completes the request on its queue. Only the first outcome counts.
    func complete(_ outcome: Outcome) {
        // Released outside the lock: the `deinit` of an object that the task captures may cancel
        // this request, and would deadlock.
        let (isFirst, _) = state.withLock { state in
            defer { state.phase = .ended }
            return (!state.hasEnded, state.task.take())
        }
        guard isFirst else { return }
        let finish: @Sendable () -> Void = { [self] in
            // Taken here, so that the caller's captures are released on the queue.
            let (deliver, cancellation) = state.withLock { ($0.deliver.take(), $0.cancellation) }
            var outcome = outcome
            if let cancellation, !outcome.hasFile { outcome.result = .failure(cancellation) }
            deliver?(outcome)
            _ = registry.withLock { $0.removeValue(forKey: ObjectIdentifier(self)) }
        }
        if let queue { queue.async(execute: finish) } else { finish() }
    }
}

extension Outcome {
    /// Whether a file has been moved to its destination.
    fileprivate var hasFile: Bool { (try? result.get().fileURL) != nil }
}
