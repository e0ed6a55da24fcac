#if CURL
import CMoyaCurl
import Foundation

/// The addresses and ports of a connection's two ends. libcurl identifies a connection by them
/// before it writes a request.
///
/// A local port alone is not unique: connections to several remote addresses may share it.
struct ConnectionEndpoints: Hashable {
    let local: Address
    let remote: Address

    struct Address: Hashable {
        let port: Int32
        let host: String

        init(_ host: UnsafePointer<CChar>?, _ port: Int32) {
            self.host = host.map { String(cString: $0) } ?? ""
            self.port = port
        }

        /// The local IP address and port of `socket`. `nil` for other address families, such as
        /// Unix domain sockets.
        init?(localAddressOf socket: curl_socket_t) {
            guard let storage = sockaddr_storage(of: socket, getsockname) else { return nil }
            let family = Int32(storage.ss_family)
            guard family == AF_INET || family == AF_INET6 else { return nil }
            let bytes = withUnsafeBytes(of: storage) { Array($0) }
            var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            // `sockaddr_in` and `sockaddr_in6` have the port at the same offset, but not the
            // address.
            let address = Array(bytes[(family == AF_INET ? 4 : 8)...])
            _ = inet_ntop(family, address, &text, socklen_t(INET6_ADDRSTRLEN))
            self.init(text, Int32(bytes[2]) << 8 | Int32(bytes[3]))
        }
    }
}

extension sockaddr_storage {
    /// The address of `socket` that `read` finds. `nil` if it has none.
    init?(
        of socket: Int32,
        _ read: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) {
        self.init()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let code = withUnsafeMutablePointer(to: &self) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { read(socket, $0, &length) }
        }
        if code != 0 { return nil }
    }
}
#endif
