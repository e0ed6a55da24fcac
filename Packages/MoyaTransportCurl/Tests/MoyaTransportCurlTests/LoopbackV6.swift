import Foundation
import MoyaTestSupport

/// A TCP server on `::1` that responds to each request with `hello`, one after the other.
final class LoopbackV6: Sendable {
    let port: Int
    private let descriptor: Int32
    /// Reserves the same port of 127.0.0.1 without listening, unless the caller has chosen the
    /// port.
    private let neighbour: Int32?

    /// Starts a server, which listens when this returns.
    ///
    /// - Parameters:
    ///   - port: 0 for any free port.
    ///   - isDeaf: Whether connections are neither accepted nor refused, as behind a firewall that
    ///     drops packets.
    init(port: Int = 0, isDeaf: Bool = false) throws {
        (descriptor, self.port, neighbour) = try Self.makeSockets(port, backlog: isDeaf ? 0 : 16)
        if isDeaf { return }
        Thread.detachNewThread { [descriptor] in
            while case let client = accept(descriptor, nil, nil), client >= 0 {
                let client = RawClient(descriptor: client)
                Self.answer(client)
                client.close()
            }
        }
    }

    /// Stops the server. Call it once.
    func stop() {
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
        if let neighbour { close(neighbour) }
    }

    /// Fills the system's backlog of pending connections. Returns their sockets.
    func fill() -> [Int32] {
        (0..<8).map { _ in
            let client = makeSocket(AF_INET6)
            _ = fcntl(client, F_SETFL, O_NONBLOCK)
            var address = sockaddr_in6(loopback: port)
            address.asSystemAddress { _ = connect(client, $0, $1) }
            return client
        }
    }

    private static func makeSockets(
        _ port: Int, backlog: Int32
    ) throws -> (descriptor: Int32, port: Int, neighbour: Int32?) {
        // Another test's server on this port of 127.0.0.1 would respond in place of this one.
        for _ in 0..<10 {
            let descriptor = makeSocket(AF_INET6)
            var address = sockaddr_in6(loopback: port)
            let isListening = address.asSystemAddress { address, length in
                bind(descriptor, address, length) == 0 && listen(descriptor, backlog) == 0
                    && getsockname(descriptor, address, &length) == 0
            }
            guard isListening else {
                let code = errno
                close(descriptor)
                throw POSIXError(.init(rawValue: code) ?? .EIO)
            }
            if port != 0 { return (descriptor, port, nil) }
            let found = Int(UInt16(bigEndian: address.sin6_port))
            let neighbour = makeSocket(AF_INET)
            var place = sockaddr_in(loopback: found)
            if place.asSystemAddress({ bind(neighbour, $0, $1) == 0 }) {
                return (descriptor, found, neighbour)
            }
            for descriptor in [descriptor, neighbour] { close(descriptor) }
        }
        throw POSIXError(.EADDRINUSE)
    }

    private static func answer(_ client: RawClient) {
        var request = Data()
        while request.range(of: Data("\r\n\r\n".utf8)) == nil {
            let more = client.read()
            if more.isEmpty { return }
            request += more
        }
        let text = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello"
        _ = client.write(Data(text.utf8))
    }
}
