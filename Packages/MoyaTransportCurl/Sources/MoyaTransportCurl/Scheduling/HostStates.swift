#if CURL
/// What the connections to each host are doing. A request that waits inside libcurl waits for one
/// of them, and libcurl does not report for which.
struct HostStates {
    enum State {
        /// A request uses a connection, which may become free.
        case inUse
        /// A connection is being opened, and none is in use. The server may be unreachable.
        case connecting
        /// Neither: libcurl may not have noticed that a connection is free. It wakes one waiting
        /// request when another ends, also one whose own host has no free connection.
        case unused
    }

    /// The limit of all connections. 0 if there is none.
    private let total: Int
    private var states: [String: State] = [:]
    private var inUseCount = 0

    init(total: Int) { self.total = total }

    /// Counts a running attempt for a host.
    mutating func note(_ host: String, _ attempt: ConnectingState) {
        if attempt.hasConnection {
            states[host] = .inUse
            inUseCount += 1
        } else if attempt.step != .none, states[host] == nil {
            states[host] = .connecting
        }
    }

    /// What a request to `host` may wait for.
    func state(of host: String) -> State {
        // At the limit of all connections, a request waits for any of them.
        if total > 0, inUseCount >= total { return .inUse }
        return states[host] ?? .unused
    }
}
#endif
