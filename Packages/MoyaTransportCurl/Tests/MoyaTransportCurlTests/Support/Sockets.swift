import Foundation

/// Creates a socket for `AF_INET` or `AF_INET6`: for TCP, or for UDP if `takesDatagrams` is set.
/// With Glibc, child processes do not inherit it.
func makeSocket(_ family: Int32, takesDatagrams: Bool = false) -> Int32 {
    let kind = takesDatagrams ? SOCK_DGRAM : SOCK_STREAM
    #if canImport(Glibc)
        return socket(family, Int32(kind.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    #else
        return socket(family, kind, 0)
    #endif
}

/// A socket address of a specific family, for system calls that take a `sockaddr`.
protocol SocketAddress {}

extension SocketAddress {
    /// Calls `body` with a pointer to the address, which it may change, and the address's size.
    mutating func asSystemAddress<Result>(
        _ body: (_ address: UnsafeMutablePointer<sockaddr>, _ length: inout socklen_t) -> Result
    ) -> Result {
        var length = socklen_t(MemoryLayout<Self>.size)
        return withUnsafeMutablePointer(to: &self) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &length) }
        }
    }
}

extension sockaddr_in: SocketAddress {
    /// A port of 127.0.0.1.
    init(loopback port: Int) {
        self.init()
        sin_family = sa_family_t(AF_INET)
        sin_port = in_port_t(UInt16(port).bigEndian)
        sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    }
}

extension sockaddr_in6: SocketAddress {
    /// A port of `::1`.
    init(loopback port: Int) {
        self.init()
        sin6_family = sa_family_t(AF_INET6)
        sin6_port = in_port_t(UInt16(port).bigEndian)
        sin6_addr = in6addr_loopback
    }
}
