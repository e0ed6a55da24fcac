import CCurl
import Foundation

/// A connection whose certificates an evaluator has accepted.
struct TrustedConnection: Equatable {
    let host: String
    let local: Address
    let remote: Address

    struct Address: Equatable {
        let port: Int32
        let address: String

        init(_ address: UnsafePointer<CChar>?, _ port: Int32) {
            self.address = address.map { String(cString: $0) } ?? ""
            self.port = port
        }
    }
}

/// Which of the open sockets an evaluator has judged, and which somebody is about to judge. Empty where nobody
/// does.
struct JudgedConnections {
    private var trusted: [curl_socket_t: TrustedConnection] = [:]
    private var makers: [curl_socket_t: ObjectIdentifier] = [:]

    /// `socket` is new. `maker` is who will judge it, if anybody.
    mutating func open(_ socket: curl_socket_t, by maker: CurlHandle?) {
        // A socket that lost against another one has been closed without a word.
        close(socket)
        if let maker { makers[socket] = ObjectIdentifier(maker) }
    }

    mutating func close(_ socket: curl_socket_t) {
        if !trusted.isEmpty { trusted[socket] = nil }
        if !makers.isEmpty { makers[socket] = nil }
    }

    /// `maker` is done with its transfer: from now on its certificates are those of another one.
    mutating func forget(_ maker: CurlHandle) {
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
    func socket(madeBy maker: CurlHandle, localPort: Int32) -> curl_socket_t? {
        let maker = ObjectIdentifier(maker)
        return makers.first { $0.value == maker && Self.port(of: $0.key) == localPort }?.key
    }

    static func port(of socket: curl_socket_t) -> Int32? {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let isKnown = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(socket, $0, &length) == 0
            }
        }
        guard isKnown else { return nil }
        // IPv4 and IPv6 addresses have it in the same place.
        return withUnsafeBytes(of: address) { bytes in
            switch Int32(address.ss_family) {
            case AF_INET, AF_INET6: Int32(bytes[2]) << 8 | Int32(bytes[3])
            default: nil
            }
        }
    }
}
