#if CURL
/// Which hosts have connections in use, and which have connections being opened. A request that
/// waits inside libcurl waits for one of them, and libcurl does not report for which.
struct HostStates {
    enum State {
        /// A request uses a connection, which may become free.
        case inUse
        /// A connection is being opened, and none is in use. The server may be unreachable.
        case connecting
        /// Neither: libcurl has not noticed yet that the request can go on (``LostWakes``), or the
        /// connections being opened to other hosts reach the limit.
        case unused
    }

    /// The limit of all connections. 0 if there is none.
    private let total: Int
    private var states: [String: State] = [:]
    /// The local ports of the connections in use, which requests may share.
    private var ports: Set<Int> = []

    init(total: Int) { self.total = total }

    /// Counts a running attempt for a host.
    mutating func note(_ host: String, _ attempt: ConnectingState, port: Int) {
        switch attempt.step {
        case .waiting: break
        case .lookingUpName, .opening:
            if states[host] == nil { states[host] = .connecting }
        case .hasConnection:
            states[host] = .inUse
            ports.insert(port)
        }
    }

    /// The state that a request to `host` may wait for the end of.
    func state(of host: String) -> State {
        // At the limit of all connections, a request waits for any of them.
        if total > 0, ports.count >= total { return .inUse }
        return states[host] ?? .unused
    }
}
#endif
