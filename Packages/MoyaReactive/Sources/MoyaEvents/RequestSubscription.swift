import MoyaCore
import MoyaInternals

/// A subscription to one request. The request is sent on the first demand, its events are delivered
/// one at a time, and it is cancelled at most once.
public final class RequestSubscription<Value: Sendable>: Sendable {
    /// Receives an event. Returns the additional demand: a number of values, or `nil` for
    /// unlimited.
    ///
    /// It is called on an arbitrary thread, but never concurrently. The three frameworks require no
    /// more of an observer, so the closure need not be `Sendable`.
    public typealias Sink = (RequestEvent<Value>) -> Int?

    /// Carries the sink between threads.
    private struct Observer: @unchecked Sendable {
        // Safe: `EventQueue` lets one thread at a time deliver, and no other code calls the sink.
        let sink: Sink
    }

    private struct State {
        var events = EventQueue<Value>()
        var isStarted = false
        var token: (any Cancellable)?
        /// Removed at the end or by a cancel, so that a finished subscription retains no
        /// subscriber.
        var observer: Observer?
    }

    private let source: RequestSource<Value>
    private let state: Locked<State>

    /// Creates a subscription to `source` without demand.
    public init(_ source: RequestSource<Value>, sink: @escaping Sink) {
        self.source = source
        state = Locked(State(observer: Observer(sink: sink)))
    }

    /// Adds a demand of `count` values, or unlimited demand for `nil`. The first demand sends the
    /// request.
    public func request(_ count: Int?) {
        if let count, count <= 0 { return }
        let isFirst = state.withLock { state in
            state.events.ask(for: count)
            defer { state.isStarted = true }
            return !state.isStarted && !state.events.isOver
        }
        if isFirst { start() }
        deliver()
    }

    /// Cancels the request. No event follows the event that is being delivered.
    public func cancel() {
        // Released outside the lock, because releasing the sink may run a deinit that calls
        // `cancel()`.
        let last = state.withLock { state in
            state.events.close()
            defer { (state.token, state.observer) = (nil, nil) }
            return (token: state.token, observer: state.observer)
        }
        last.token?.cancel()
    }

    private func start() {
        let token = source.make { [self] event in
            state.withLock { $0.events.add(event) }
            deliver()
        }
        let isTooLate = state.withLock { state in
            if !state.events.isOver { state.token = token }
            return state.events.isOver
        }
        // The subscription was cancelled while the request was created. If the request has already
        // ended, cancelling has no effect.
        if isTooLate { token?.cancel() }
    }

    private func deliver() {
        guard state.withLock({ $0.events.beginDelivery() }) else { return }
        while let (event, observer) = next() {
            let more = observer.sink(event)
            state.withLock { $0.events.ask(for: more) }
        }
    }

    private func next() -> (RequestEvent<Value>, Observer)? {
        // The token is released outside the lock: its `deinit` may cancel the subscription.
        let (next, _) = state.withLock { state in
            guard let event = state.events.next(), let observer = state.observer else {
                return (nil as (RequestEvent<Value>, Observer)?, nil as (any Cancellable)?)
            }
            guard state.events.isOver else { return ((event, observer), nil) }
            state.observer = nil
            return ((event, observer), state.token.take())
        }
        return next
    }
}
