import Foundation
import MoyaInternals

/// A request with a completion, which is called exactly once even if a result, a cancel and a
/// release of the provider race.
final class PendingRequest: Cancellable {
    typealias Deliver = @Sendable (Result<Response, MoyaError>, _ wasSent: Bool) -> Void
    typealias Registry = Locked<[ObjectIdentifier: (request: PendingRequest, endpoint: Endpoint)]>

    private enum Phase {
        /// The request closure has not called back.
        case waiting
        /// Being passed to the transport, on one thread and without suspending. A cancel takes
        /// effect in ``sent(cancel:)``, or in ``complete(_:wasSent:isOnQueue:)`` before that.
        case starting
        /// Waiting for the result of a transport, a stub or an equal request in flight.
        case sent(cancel: @Sendable () -> Void)
        /// Its response is being delivered. A cancel has no effect.
        case delivering
        case completed
    }

    private struct State {
        var phase = Phase.waiting
        /// The error of a cancelled request.
        var cancellation: MoyaError?
        /// Released when it is called, so that a retained token does not retain the caller's
        /// captures.
        var deliver: Deliver?
    }

    private let state: Locked<State>
    /// The queue of the plugins and the completion. `nil` runs them on the thread that delivers the
    /// result.
    let queue: DispatchQueue?
    private let registry: Registry?

    /// - Parameters:
    ///   - registry: Retains the request until its completion has run.
    ///   - deliver: Called once, with the result.
    init(on queue: DispatchQueue?, in registry: Registry? = nil, deliver: @escaping Deliver) {
        self.queue = queue
        self.registry = registry
        state = Locked(State(deliver: deliver))
    }

    var isCancelled: Bool { state.withLock { $0.cancellation != nil } }

    /// Claims the right to send the request. Returns `true` once, and `false` after a cancel.
    func start() -> Bool {
        state.withLock { state in
            guard case .waiting = state.phase, state.cancellation == nil else { return false }
            state.phase = .starting
            return true
        }
    }

    /// Stores the action that cancels the request. If the request was cancelled while it was being
    /// sent, calls the action immediately.
    func sent(cancel: @escaping @Sendable () -> Void) {
        let isDue = state.withLock { state in
            guard case .starting = state.phase else { return false }
            state.phase = .sent(cancel: cancel)
            return state.cancellation != nil
        }
        if isDue { cancel() }
    }

    /// Claims the right to deliver the response. Returns `false` after a cancel.
    func beginDelivery() -> Bool {
        state.withLock { state in
            switch state.phase {
            case .starting where state.cancellation == nil, .sent where state.cancellation == nil:
                state.phase = .delivering
                return true
            case .waiting, .starting, .sent, .delivering, .completed: return false
            }
        }
    }

    /// Completes the request with a response that is there at once: on the queue, so that
    /// completions keep the order of their requests, or on the caller's thread without a queue.
    func respond(with makeResult: @escaping @Sendable () -> Result<Response, MoyaError>) {
        sent { self.complete(.failure(.cancelled), wasSent: true) }
        let respond: @Sendable () -> Void = {
            guard self.beginDelivery() else { return }
            self.complete(makeResult(), wasSent: true, isOnQueue: true)
        }
        if let queue { queue.async(execute: respond) } else { respond() }
    }

    func cancel() { cancel(with: .cancelled) }

    /// - Parameter error: The result of the request.
    func cancel(with error: MoyaError) {
        let action = state.withLock { state -> (@Sendable () -> Void)? in
            guard state.cancellation == nil else { return nil }
            state.cancellation = error
            switch state.phase {
            case .waiting: return { self.complete(.failure(error)) }
            case .sent(let cancel): return cancel
            case .starting, .delivering, .completed: return nil
            }
        }
        action?()
    }

    /// Completes the request. Only the first result counts.
    ///
    /// - Parameters:
    ///   - wasSent: See ``PluginHooks/finish(_:wasSent:report:)``.
    ///   - isOnQueue: Whether the caller runs on the queue of the completion.
    func complete(
        _ result: Result<Response, MoyaError>, wasSent: Bool = false, isOnQueue: Bool = false
    ) {
        // The old phase is released outside the lock: the `deinit` of an object that its cancel
        // action captures may cancel this request, and would deadlock.
        let (phase, cancellation) = state.withLock { state in
            defer { state.phase = .completed }
            return (state.phase, state.cancellation)
        }
        var result = result
        switch phase {
        case .completed: return
        case .delivering: break
        // The response of an equal request, or of an override of `stubRequest`, after a cancel.
        case .waiting, .starting, .sent: if let cancellation { result = .failure(cancellation) }
        }
        let finish: @Sendable () -> Void = { [self, result] in
            // Taken here, so that the caller's captures are released on the queue.
            state.withLock { $0.deliver.take() }?(result, wasSent)
            _ = registry?.withLock { $0.removeValue(forKey: ObjectIdentifier(self)) }
        }
        if let queue, !isOnQueue { queue.async(execute: finish) } else { finish() }
    }
}
