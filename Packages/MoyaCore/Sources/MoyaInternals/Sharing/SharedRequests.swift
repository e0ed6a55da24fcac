/// A table of requests in flight whose results are shared with equal requests.
///
/// An exchange is one request that was sent, and the waiters for its result. It is entered when it
/// is sent, and removed when its last waiter leaves: a waiter that has the result, or whose task
/// was cancelled. If two equal requests are sent at the same time, only the first is entered, and
/// the second is sent separately. So is a request while an equal one is being cancelled.
public struct SharedRequests<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// Receives the result of an exchange.
    public typealias Receiver = @Sendable (Value) -> Void

    /// A waiter's membership in an exchange.
    struct Membership: Sendable {
        fileprivate let key: Key
        fileprivate let exchange: Int
        fileprivate let waiter: Int
    }

    private struct Exchange {
        enum Phase {
            case starting
            case running(cancel: @Sendable () -> Void)
            /// Cancelled. Its last waiter still waits for its end.
            case cancelled
            /// Its result is being passed to the waiters.
            case finished
        }

        let id: Int
        var phase = Phase.starting
        var waiters: [(id: Int, receiver: Receiver)]
    }

    /// What a waiter leaves behind. Released outside the lock: the captures of keys and receivers
    /// may call this table.
    private struct Departure {
        var cancel: (@Sendable () -> Void)?
        var waiters: [(id: Int, receiver: Receiver)] = []
        var exchange: (Key, Exchange)?
    }

    private struct State {
        var exchanges: [Key: Exchange] = [:]
        private var lastID = 0

        mutating func makeID() -> Int {
            lastID += 1
            return lastID
        }

        /// Removes a waiter, and its exchange if no other waits for it.
        mutating func leave(_ member: Membership) -> Departure {
            var departure = Departure()
            departure.waiters = self[member]?.waiters.filter { $0.id == member.waiter } ?? []
            self[member]?.waiters.removeAll { $0.id == member.waiter }
            guard let exchange = self[member], exchange.waiters.isEmpty,
                let index = exchanges.index(forKey: member.key)
            else { return departure }
            departure.exchange = exchanges.remove(at: index)
            if case .running(let cancel) = exchange.phase { departure.cancel = cancel }
            return departure
        }

        /// The exchange of a member, if it is still in the table. Another exchange may have
        /// replaced it.
        subscript(member: Membership) -> Exchange? {
            get { exchanges[member.key].flatMap { $0.id == member.exchange ? $0 : nil } }
            set { if self[member] != nil { exchanges[member.key] = newValue } }
        }
    }

    private let state = Locked(State())

    /// Creates an empty table.
    public init() {}

    /// The exchanges in flight and their waiters.
    public var inFlight: [(key: Key, receivers: [Receiver])] {
        state.withLock { $0.exchanges.map { ($0.key, $0.value.waiters.map(\.receiver)) } }
    }

    /// Waits for the result of an equal request in flight. `nil` if there is no such request.
    func join(_ key: Key, receiver: @escaping Receiver) -> Membership? {
        state.withLock { state in
            guard let exchange = state.exchanges[key] else { return nil }
            switch exchange.phase {
            case .starting, .running: break
            case .cancelled, .finished: return nil
            }
            let member = Membership(key: key, exchange: exchange.id, waiter: state.makeID())
            state[member]?.waiters.append((member.waiter, receiver))
            return member
        }
    }

    /// Enters an exchange that equal requests can join. `nil` if an equal exchange has no result
    /// yet.
    func enter(_ key: Key, receiver: @escaping Receiver) -> Membership? {
        let (member, _) = state.withLock { state -> (Membership?, (Key, Exchange)?) in
            switch state.exchanges[key]?.phase {
            case .starting, .running, .cancelled: return (nil, nil)
            case .finished, nil: break
            }
            let member = Membership(key: key, exchange: state.makeID(), waiter: state.makeID())
            // The key of a finished exchange is equal, but belongs to another endpoint.
            let replaced = state.exchanges.index(forKey: key).map { state.exchanges.remove(at: $0) }
            state.exchanges[key] = Exchange(
                id: member.exchange, waiters: [(member.waiter, receiver)])
            return (member, replaced)
        }
        return member
    }

    /// Stores the action that cancels an exchange. Calls it immediately if every waiter has already
    /// left.
    func didStart(_ member: Membership, cancel: @escaping @Sendable () -> Void) {
        let isInFlight = state.withLock { state in
            if case .starting = state[member]?.phase {
                state[member]?.phase = .running(cancel: cancel)
            }
            return state[member] != nil
        }
        if !isInFlight { cancel() }
    }

    /// Removes a waiter, which receives no result then. Cancels the exchange if it was the last
    /// waiter and the exchange has no result.
    func leave(_ member: Membership) {
        let departure = state.withLock { $0.leave(member) }
        departure.cancel?()
    }

    /// Cancels a wait. Returns `true` if it cancelled the running exchange: the last waiter stays,
    /// to receive its result. Otherwise removes the waiter, and returns `false`.
    func cancel(_ member: Membership) -> Bool {
        let (cancel, _) = state.withLock { state -> ((@Sendable () -> Void)?, Departure?) in
            guard state[member]?.waiters.map(\.id) == [member.waiter],
                case .running(let cancel) = state[member]?.phase
            else {
                // Nothing is left to cancel: others wait, or the exchange is not running.
                return (nil, state.leave(member))
            }
            state[member]?.phase = .cancelled
            return (cancel, nil)
        }
        cancel?()
        return cancel != nil
    }

    /// Passes the result of a member's exchange to all its waiters. No request can join the
    /// exchange afterwards.
    func finish(_ member: Membership, _ value: Value) {
        let waiters = state.withLock { state -> [(id: Int, receiver: Receiver)] in
            guard let exchange = state[member] else { return [] }
            if case .finished = exchange.phase { return [] }
            state[member]?.phase = .finished
            return exchange.waiters
        }
        for waiter in waiters { waiter.receiver(value) }
    }
}
