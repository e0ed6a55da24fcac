#if CURL
import CMoyaCurl

/// A connection whose certificates an evaluator has accepted for `host`.
struct TrustedConnection: Equatable {
    let host: String
    let endpoints: ConnectionEndpoints
}

/// Keeps requests off connections whose certificates have not been evaluated for their host: holds
/// the sockets whose certificates have been accepted, or are being evaluated. Empty without
/// evaluators.
struct EvaluatedConnections {
    private var trusted: [curl_socket_t: TrustedConnection] = [:]
    private var makers: [curl_socket_t: ObjectIdentifier] = [:]

    /// Records a new socket. `maker` is the handle whose transfer has an evaluator, or `nil`.
    mutating func open(_ socket: curl_socket_t, by maker: AnyObject?) {
        // libcurl closes the socket that loses a race between addresses without a callback, so the
        // number may be reused.
        close(socket)
        if let maker { makers[socket] = ObjectIdentifier(maker) }
    }

    mutating func close(_ socket: curl_socket_t) {
        if !trusted.isEmpty { trusted[socket] = nil }
        if !makers.isEmpty { makers[socket] = nil }
    }

    /// The transfer of `maker` has ended. Its next certificates belong to another connection.
    mutating func forget(_ maker: AnyObject) {
        let maker = ObjectIdentifier(maker)
        makers = makers.filter { $0.value != maker }
    }

    func isTrusted(_ connection: TrustedConnection) -> Bool {
        trusted.contains { $0.value == connection }
    }

    mutating func trust(_ connection: TrustedConnection, on socket: curl_socket_t) {
        makers[socket] = nil
        trusted[socket] = connection
    }

    /// The open sockets that `maker` has opened for its transfer, and whose certificates have not
    /// been accepted.
    func sockets(madeBy maker: AnyObject) -> [curl_socket_t] {
        let maker = ObjectIdentifier(maker)
        return makers.filter { $0.value == maker }.map(\.key)
    }
}
#endif
