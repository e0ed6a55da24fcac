import MoyaCore
import MoyaInternals

/// One subscriber's request. It is made when the first value is asked for, its events are handed on one
/// at a time, and it is cancelled at most once.
public final class RequestSubscription<Value: Sendable>: Sendable {
    /// Takes an event and says how many more values it wants, `nil` for any number.
    ///
    /// It is called on whatever thread an event comes on, and never by two at a time: that is all that
    /// an observer asks for in each of the three frameworks, so it need not be Sendable.
    public typealias Sink = (RequestEvent<Value>) -> Int?

    /// The sink, on its way between threads.
    private struct Observer: @unchecked Sendable {
        // Safe to send: `EventQueue` lets one thread at a time deliver, and no other code calls it.
        let sink: Sink
    }

    private struct State {
        var events = EventQueue<Value>()
        var isStarted = false
        var token: (any Cancellable)?
        /// Gone with the end, or with a cancel, so that a request that is over keeps no object alive.
        var observer: Observer?
    }

    private let source: RequestSource<Value>
    private let state: Locked<State>

    /// A subscription to `source` that has not asked for anything yet.
    public init(_ source: RequestSource<Value>, sink: @escaping Sink) {
        self.source = source
        state = Locked(State(observer: Observer(sink: sink)))
    }

    /// Asks for `count` more values, any number if it is `nil`. The first time makes the request.
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

    /// Cancels the request. An event that is being delivered is the last one.
    public func cancel() {
        // Let go of outside of the lock: what a sink holds may well cancel in its own end.
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
        // Cancelled while it was being made. Where it has ended instead, this does nothing.
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
        state.withLock { state in
            guard let event = state.events.next(), let observer = state.observer else { return nil }
            if state.events.isOver {
                state.observer = nil
                state.token = nil
            }
            return (event, observer)
        }
    }
}
