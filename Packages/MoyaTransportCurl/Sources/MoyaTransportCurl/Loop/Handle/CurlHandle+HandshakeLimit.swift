import CMoyaCurl
import Foundation

extension CurlHandle {
    /// The one of the sockets opened for the transfer that is connected.
    var connectedSocket: curl_socket_t? {
        openedSockets.last { socket in
            var address = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            return withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    getpeername(socket, $0, &length) == 0
                }
            }
        }
    }
}
