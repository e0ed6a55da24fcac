import Foundation

/// A listening socket that never accepts. Its backlog is full, so that further connections stay
/// pending.
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
