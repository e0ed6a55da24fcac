import Foundation
import MoyaInternals

/// A request whose caller waits for a completion. The completion is called once, whatever races.
final class PendingRequest: Cancellable {
    typealias Registry = Locked<[ObjectIdentifier: (request: PendingRequest, endpoint: Endpoint)]>

    private enum Phase {
        /// The request closure has not answered.
        case waiting
        /// On its way to the transport, on one thread and without a pause: a cancel waits until it is there.
        case starting
        /// A transport, a stub or an equal request in flight is to answer.
        case sent(cancel: @Sendable () -> Void)
        /// Its response is being delivered: too late for a cancel.
        case delivering
        case completed
    }

    private struct State {
        var phase = Phase.waiting
        var isCancelled = false
        /// Takes the result, where completions run. Gone with it: a token that is kept must not keep its caller.
        var completion: Completion?
    }

    private let state: Locked<State>
    /// Where plugins and the completion run. `nil` is where the result arises.
    private let queue: DispatchQueue?
    private let registry: Registry?

    /// - Parameter registry: Holds the request until its completion has run.
    init(on queue: DispatchQueue?, in registry: Registry? = nil, completion: @escaping Completion) {
        self.queue = queue
        self.registry = registry
        state = Locked(State(completion: completion))
    }

    var isCancelled: Bool { state.withLock(\.isCancelled) }

    /// Takes the right to send the request. It is given once, and not after a cancel.
    func start() -> Bool {
        state.withLock { state in
            guard case .waiting = state.phase, !state.isCancelled else { return false }
            state.phase = .starting
            return true
        }
    }

    /// Says how to cancel the request from here on. Cancels it at once if that is due.
    func sent(cancel: @escaping @Sendable () -> Void) {
        let isDue = state.withLock { state in
            guard case .starting = state.phase else { return false }
            state.phase = .sent(cancel: cancel)
            return state.isCancelled
        }
        if isDue { cancel() }
    }

    /// Takes the right to deliver the response. It is not given after a cancel.
    func beginDelivery() -> Bool {
        state.withLock { state in
            switch state.phase {
            case .starting where !state.isCancelled, .sent where !state.isCancelled:
                state.phase = .delivering
                return true
            case .waiting, .starting, .sent, .delivering, .completed: return false
            }
        }
    }

    func cancel() {
        let action = state.withLock { state -> (@Sendable () -> Void)? in
            guard !state.isCancelled else { return nil }
            state.isCancelled = true
            switch state.phase {
            // Nothing has been sent, so plugins need not hear of it.
            case .waiting: return { self.complete(.failure(.cancelled)) }
            case .sent(let cancel): return cancel
            case .starting, .delivering, .completed: return nil
            }
        }
        action?()
    }

    /// Ends the request. The first result counts.
    ///
    /// - Parameter announced: What the plugins have been told of. They hear the result before the completion does.
    func complete(_ result: Result<Response, MoyaError>, of announced: PreparedRequest? = nil) {
        // The phase is released outside of the lock: what a cancel captures may cancel this request in its `deinit`.
        let (completion, _) = state.withLock { state in
            defer { state.phase = .completed }
            return (state.completion.take(), state.phase)
        }
        guard let completion else { return }
        let finish: @Sendable () -> Void = { [self] in
            announced?.pipeline.report(result)
            completion(result)
            _ = registry?.withLock { $0.removeValue(forKey: ObjectIdentifier(self)) }
        }
        if let queue { queue.async(execute: finish) } else { finish() }
    }
}
