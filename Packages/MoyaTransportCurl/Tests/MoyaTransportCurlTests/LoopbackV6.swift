import Foundation

/// A TCP server on `::1` that answers one request after the other with `hello`.
final class LoopbackV6: Sendable {
    let port: Int
    private let descriptor: Int32

    /// A server that listens when this returns.
    ///
    /// - Parameters:
    ///   - port: 0 for any.
    ///   - isDeaf: Whether nobody gets a connection: not refused, not accepted, as behind a gate that drops packets.
    init(port: Int = 0, isDeaf: Bool = false) throws {
        #if canImport(Glibc)
            let descriptor = socket(
                AF_INET6, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        #else
            let descriptor = socket(AF_INET6, SOCK_STREAM, 0)
        #endif
        self.descriptor = descriptor
        var address = Self.address(port)
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, isDeaf ? 0 : 16) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else {
            let code = errno
            close(descriptor)
            throw POSIXError(.init(rawValue: code) ?? .EIO)
        }
        self.port = Int(UInt16(bigEndian: address.sin6_port))
        if isDeaf { return }
        Thread.detachNewThread {
            while case let client = accept(descriptor, nil, nil), client >= 0 {
                Self.answer(client)
                close(client)
            }
        }
    }

    /// Ends it. Once.
    func stop() {
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }

    /// Takes the connections that the system would take without anybody who accepts them. Returns them.
    func fill() -> [Int32] {
        var clients: [Int32] = []
        for _ in 0..<8 {
            #if canImport(Glibc)
                let client = socket(
                    AF_INET6, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            #else
                let client = socket(AF_INET6, SOCK_STREAM, 0)
            #endif
            _ = fcntl(client, F_SETFL, O_NONBLOCK)
            var address = Self.address(port)
            withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    _ = connect(client, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
                }
            }
            clients.append(client)
        }
        return clients
    }

    private static func address(_ port: Int) -> sockaddr_in6 {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = in_port_t(UInt16(port).bigEndian)
        address.sin6_addr = in6addr_loopback
        return address
    }

    private static func answer(_ client: Int32) {
        var request = Data()
        var buffer = [UInt8](repeating: 0, count: 4096)
        while request.range(of: Data("\r\n\r\n".utf8)) == nil {
            let count = recv(client, &buffer, buffer.count, 0)
            if count <= 0 { return }
            request += buffer.prefix(count)
        }
        let text = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello"
        _ = send(client, text, text.utf8.count, 0)
    }
}
