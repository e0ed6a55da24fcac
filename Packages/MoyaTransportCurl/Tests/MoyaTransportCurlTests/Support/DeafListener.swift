import Foundation

/// A listening socket with room for one connection, which nobody accepts: all others wait for ever.
struct DeafListener {
    let port: Int
    private let listener: Int32
    private let first: Int32

    init() throws {
        (listener, first) = (Self.makeSocket(), Self.makeSocket())
        let (listener, first) = (listener, first)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 0) == 0
                    && getsockname(listener, $0, &length) == 0
                    && connect(first, $0, length) == 0
            }
        }
        guard isConnected else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    func stop() {
        for descriptor in [first, listener] { close(descriptor) }
    }

    private static func makeSocket() -> Int32 {
        #if canImport(Glibc)
            socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            socket(AF_INET, SOCK_STREAM, 0)
        #endif
    }
}
