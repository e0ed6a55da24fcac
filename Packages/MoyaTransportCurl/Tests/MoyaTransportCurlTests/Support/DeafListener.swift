import Foundation

/// A listening socket with room for one connection, which nobody accepts: all others wait for ever.
struct DeafListener {
    let port: Int
    private let listener: Int32
    private let first: Int32

    init() throws {
        (listener, first) = (makeSocket(AF_INET), makeSocket(AF_INET))
        let (listener, first) = (listener, first)
        var address = sockaddr_in(loopback: 0)
        let isConnected = address.asSystemAddress { address, length in
            bind(listener, address, length) == 0 && listen(listener, 0) == 0
                && getsockname(listener, address, &length) == 0
                && connect(first, address, length) == 0
        }
        guard isConnected else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    func stop() {
        for descriptor in [first, listener] { close(descriptor) }
    }
}
