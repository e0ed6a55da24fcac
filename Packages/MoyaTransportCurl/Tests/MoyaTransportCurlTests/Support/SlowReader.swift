import Foundation
import MoyaTestSupport

/// A server with a small receive buffer that accepts one connection. The test decides how much it
/// reads.
struct SlowReader: Sendable {
    let url: URL
    private let listener: Int32

    /// Listens on a port of 127.0.0.1, or at a path.
    init(unixSocket: URL? = nil) throws {
        let listener = makeSocket(unixSocket == nil ? AF_INET : AF_UNIX)
        self.listener = listener
        // Accepted sockets inherit this buffer size.
        var room: Int32 = 32 << 10
        setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &room, socklen_t(MemoryLayout<Int32>.size))
        var port = 0
        let isListening: Bool
        if let unixSocket {
            var address = sockaddr_un(path: unixSocket.path)
            isListening = address.asSystemAddress { bind(listener, $0, $1) == 0 }
        } else {
            var address = sockaddr_in(loopback: 0)
            isListening = address.asSystemAddress {
                bind(listener, $0, $1) == 0 && getsockname(listener, $0, &$1) == 0
            }
            port = Int(UInt16(bigEndian: address.sin_port))
        }
        guard isListening, listen(listener, 1) == 0,
            let url = URL(string: "http://127.0.0.1:\(port)/")
        else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        self.url = url
    }

    func accept() async throws -> RawClient {
        try await onThread { [listener] in
            RawClient(descriptor: acceptConnection(listener, nil, nil))
        }
    }

    func stop() { close(listener) }
}

extension RawClient {
    /// Reads at least `count` bytes.
    func read(_ count: Int) async throws {
        try await onThread {
            var left = count
            while left > 0 {
                let piece = self.read().count
                guard piece > 0 else { throw IssueError("The client has left.") }
                left -= piece
            }
        }
    }
}

extension sockaddr_un: SocketAddress {
    init(path: String) {
        self.init()
        sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &sun_path) { $0.copyBytes(from: path.utf8) }
    }
}

private let acceptConnection = accept
