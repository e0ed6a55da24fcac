import Foundation

/// A TCP connection.
struct RawClient: Sendable {
    private let descriptor: Int32

    /// A connection there is.
    init(descriptor: Int32) { self.descriptor = descriptor }

    /// Connects to a port of 127.0.0.1.
    init(port: Int) throws {
        let descriptor = makeSocket(AF_INET)
        var address = sockaddr_in(loopback: port)
        guard address.asSystemAddress({ connect(descriptor, $0, $1) == 0 }) else {
            let code = errno
            _ = closeDescriptor(descriptor)
            throw POSIXError(.init(rawValue: code) ?? .EIO)
        }
        self.descriptor = descriptor
    }

    func read() -> Data {
        withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 1) { buffer in
            Data(buffer.prefix(max(0, recv(descriptor, buffer.baseAddress, buffer.count, 0))))
        }
    }

    /// Returns whether all of it could be sent.
    func write(_ data: Data) -> Bool {
        // Whoever writes to a connection that is gone would end the process otherwise.
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        return data.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
                let count = send(descriptor, rest.baseAddress, rest.count, flags)
                if count <= 0 { return false }
                sent += count
            }
            return true
        }
    }

    func shutDown() { shutdown(descriptor, Int32(SHUT_RDWR)) }
    func close() { _ = closeDescriptor(descriptor) }
}

private let closeDescriptor: @Sendable (Int32) -> Int32 = { close($0) }
