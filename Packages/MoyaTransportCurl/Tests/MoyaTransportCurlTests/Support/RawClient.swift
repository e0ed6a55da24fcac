import Foundation

/// A client's TCP connection.
struct RawClient: Sendable {
    private let descriptor: Int32

    /// Wraps a connected socket.
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

    /// Sends `data`. Returns whether all of it was sent.
    func write(_ data: Data) -> Bool {
        // Without this flag, writing to a closed connection would end the process.
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
