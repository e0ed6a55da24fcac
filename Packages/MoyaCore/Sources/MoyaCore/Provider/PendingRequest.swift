import Foundation
import MoyaInternals

/// A request with a completion, which is called exactly once even if a result, a cancel and a
/// release of the provider race.
final class PendingRequest: Cancellable {
    typealias Finish = @Sendable (Outcome) -> Void
    typealias Registry = Locked<[ObjectIdentifier: (request: PendingRequest, endpoint: Endpoint)]>

    private enum Phase {
        /// Waiting for the request closure, or, after `willSend`, for the transport. A cancel
        /// completes the request at once.
        case waiting(afterWillSend: Bool)
        /// Being prepared or delivered: a cancel replaces the result at the end, unless a file was
        /// moved. Or sharing a response: the task's cancel ends the wait.
        case busy
        /// Its completion has been enqueued with an outcome, or (`nil`) called. A cancel before the
        /// call takes effect as in `busy`.
        case ended(Outcome?)
    }

    private struct State {
        var phase = Phase.waiting(afterWillSend: false)
        /// The error of a cancelled request.
        var cancellation: MoyaError?
        var task: Task<Void, Never>?
        var finish: Finish?

        var hasEnded: Bool { if case .ended = phase { true } else { false } }
    }

    private let state: Locked<State>
    /// The queue of the plugins and the completion. `nil`, for an immediate stub alone, runs them
    /// on the thread that delivers the result.
    private let queue: DispatchQueue?
    private let registry: Registry

    /// - Parameters:
    ///   - registry: Retains the request until its completion has run.
    ///   - finish: Takes the last steps of the request. Called once.
    init(on queue: DispatchQueue?, in registry: Registry, finish: @escaping Finish) {
        self.queue = queue
        self.registry = registry
        state = Locked(State(finish: finish))
    }

    var isCancelled: Bool { state.withLock { $0.cancellation != nil } }

    /// Starts the task of the request, on the caller's thread until it suspends. Before macOS 26
    /// and iOS 26, on another thread.
    ///
    /// - Parameter work: Ends with a call of ``complete(_:)``.
    func run(_ work: @escaping @Sendable () async -> Void) {
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
            case (.prepare, .waiting(afterWillSend: false)): state.phase = .busy
            case (.send, .busy): state.phase = .waiting(afterWillSend: true)
            case (.share, .busy): break
            case (.deliver, .waiting(afterWillSend: true)) where state.cancellation == nil:
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
            guard case .waiting(let afterWillSend) = state.phase else { return (state.task, nil) }
            return (state.task, .cancelled(needsDidReceive: afterWillSend))
        }
        task?.cancel()
        if let outcome { complete(outcome) }
    }

    /// Ends the request, and completes it on its queue. Only the first outcome counts.
    func complete(_ outcome: Outcome) {
        let isFirst = state.withLock { state in
            if state.hasEnded { return false }
            state.phase = .ended(outcome)
            return true
        }
        guard isFirst else { return }
        if let queue { queue.async { self.finish() } } else { finish() }
    }

    private func finish() {
        // Released by this method, on the queue and outside the lock: a retained token does not
        // retain the caller's captures, and the `deinit` of one may cancel this request.
        var last = State(phase: .ended(nil))
        state.withLock { state in
            last.cancellation = state.cancellation
            swap(&state, &last)
        }
        guard case .ended(var outcome?) = last.phase else { return }
        if let error = last.cancellation, !outcome.hasFile { outcome.result = .failure(error) }
        last.finish?(outcome)
        _ = registry.withLock { $0.removeValue(forKey: ObjectIdentifier(self)) }
    }
}

extension Outcome {
    /// Whether a file has been moved to its destination.
    fileprivate var hasFile: Bool { (try? result.get().fileURL) != nil }
}
