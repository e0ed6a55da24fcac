import CMoyaCurl
import Foundation

/// A connection whose certificates an evaluator has accepted.
struct TrustedConnection: Equatable {
    let host: String
    let endpoints: ConnectionEndpoints
}

/// Sockets whose certificates have been accepted, or are being evaluated. Empty where there is no evaluator.
struct EvaluatedConnections {
    private var trusted: [curl_socket_t: TrustedConnection] = [:]
    private var makers: [curl_socket_t: ObjectIdentifier] = [:]

    /// `socket` is new. `maker` is the handle whose evaluator will be asked, if there is one.
    mutating func open(_ socket: curl_socket_t, by maker: AnyObject?) {
        // A socket that lost against another one has been closed without a word.
        close(socket)
        if let maker { makers[socket] = ObjectIdentifier(maker) }
    }

    mutating func close(_ socket: curl_socket_t) {
        if !trusted.isEmpty { trusted[socket] = nil }
        if !makers.isEmpty { makers[socket] = nil }
    }

    /// `maker` is done with its transfer: from now on its certificates are those of another one.
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

    /// The socket that `maker` has opened for its transfer, if it is the one with this port on our side.
    func socket(madeBy maker: AnyObject, localPort: Int32) -> curl_socket_t? {
        let maker = ObjectIdentifier(maker)
        return makers.first {
            $0.value == maker
                && ConnectionEndpoints.Address(localAddressOf: $0.key)?.port == localPort
        }?.key
    }
}
