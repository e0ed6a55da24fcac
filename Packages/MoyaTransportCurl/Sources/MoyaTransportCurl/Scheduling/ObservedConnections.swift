#if CURL
import CMoyaCurl
@_spi(MoyaInternals) import MoyaCore

/// The connections whose changes are reported to an observer (`ExchangeEvent.connection`): those
/// that observed requests have opened. No I/O.
///
/// Each transition returns the report to make, so that no state is in use while an observer runs.
struct ObservedConnections {
    typealias Observer = @Sendable (ExchangeEvent) -> Void

    struct Report {
        let observer: Observer
        let event: ExchangeEvent

        func callAsFunction() { observer(event) }
    }

    private struct Connection {
        let origin: String
        let observer: Observer
        /// When it carried its first request, in nanoseconds of ``LoopClock``.
        let start: UInt64
        var userCount = 1

        var state: ExchangeEvent.ConnectionState { userCount > 0 ? .active : .idle }

        func report(
            _ state: ExchangeEvent.ConnectionState, previous: ExchangeEvent.ConnectionState?
        ) -> Report {
            Report(
                observer: observer,
                event: .connection(origin: origin, state, previous: previous))
        }
    }

    private var connections: [ConnectionEndpoints: Connection] = [:]
    private var endpoints: [curl_socket_t: ConnectionEndpoints] = [:]

    var isEmpty: Bool { connections.isEmpty }

    /// Whether the connection between these endpoints is known.
    func contains(_ endpoints: ConnectionEndpoints) -> Bool { connections[endpoints] != nil }

    /// A request to `url` has opened the connection.
    mutating func open(
        _ socket: curl_socket_t, _ new: ConnectionEndpoints, for url: URL?,
        _ observer: @escaping Observer, at now: UInt64
    ) -> Report {
        let connection = Connection(origin: url?.origin ?? "", observer: observer, start: now)
        connections[new] = connection
        endpoints[socket] = new
        return connection.report(.active, previous: nil)
    }

    /// Another request begins to use the connection.
    mutating func use(_ endpoints: ConnectionEndpoints) -> Report? {
        connections[endpoints]?.userCount += 1
        guard let connection = connections[endpoints], connection.userCount == 1 else { return nil }
        return connection.report(.active, previous: .idle)
    }

    /// A request has ended on the connection, which may have been closed.
    mutating func leave(_ endpoints: ConnectionEndpoints) -> Report? {
        connections[endpoints]?.userCount -= 1
        guard let connection = connections[endpoints], connection.userCount == 0 else { return nil }
        return connection.report(.idle, previous: .active)
    }

    /// `socket` is closed.
    mutating func close(_ socket: curl_socket_t, at now: UInt64) -> Report? {
        guard let endpoints = endpoints.removeValue(forKey: socket),
            let connection = connections.removeValue(forKey: endpoints)
        else { return nil }
        let lifetime = Double(now &- min(now, connection.start)) / 1e9
        return connection.report(.closed(lifetime: lifetime), previous: connection.state)
    }
}
#endif
