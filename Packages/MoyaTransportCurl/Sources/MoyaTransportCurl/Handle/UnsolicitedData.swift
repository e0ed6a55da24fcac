import CMoyaCurl
import Foundation

/// The reused connection has unread bytes before the request is written. libcurl before 8.0 would take them for the response
/// to that request, although they followed an earlier response, or no request at all (RFC 9112, section 9.2).
struct UnsolicitedData: Error {}

/// The sockets of connections, so that the connection that libcurl is about to use can be checked. Filled only before
/// libcurl 8.0, which makes the check itself.
struct SocketsByEndpoints {
    private var sockets: [ConnectionEndpoints: curl_socket_t] = [:]
    private var endpoints: [curl_socket_t: ConnectionEndpoints] = [:]

    subscript(endpoints: ConnectionEndpoints) -> curl_socket_t? { sockets[endpoints] }

    /// One of the sockets in `opened` has become the connection between these endpoints.
    mutating func add(_ new: ConnectionEndpoints, among opened: [curl_socket_t]) {
        guard
            let socket = opened.last(where: {
                ConnectionEndpoints.Address(localAddressOf: $0) == new.local
            })
        else { return }
        remove(socket)
        sockets[new] = socket
        endpoints[socket] = new
    }

    mutating func remove(_ socket: curl_socket_t) {
        guard let old = endpoints.removeValue(forKey: socket), sockets[old] == socket else {
            return
        }
        sockets[old] = nil
    }
}
