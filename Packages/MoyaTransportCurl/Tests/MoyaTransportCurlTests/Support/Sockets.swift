import Foundation

/// A socket of `AF_INET` or `AF_INET6`, for TCP unless you say otherwise. Where there is Glibc, no child process gets it.
func makeSocket(_ family: Int32, takesDatagrams: Bool = false) -> Int32 {
    let kind = takesDatagrams ? SOCK_DGRAM : SOCK_STREAM
    #if canImport(Glibc)
        return socket(family, Int32(kind.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    #else
        return socket(family, kind, 0)
    #endif
}

/// An address of a kind of its own, as the system's calls take it.
protocol SocketAddress {}

extension SocketAddress {
    /// Hands the address to `body`, which may change it. `length` is its size.
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
