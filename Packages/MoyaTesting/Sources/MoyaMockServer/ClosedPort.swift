import Foundation

/// A TCP port on 127.0.0.1 that refuses connections while this object exists. Keep a reference to
/// it.
public final class ClosedPort: Sendable {
    private let socket: Socket
    /// `http://127.0.0.1:port`.
    public let url: URL

    /// Reserves a free port.
    ///
    /// - Throws: An error with the name of the system call, if the system has no socket or port
    ///   left.
    public init() throws {
        let (socket, port) = try Socket.reserve()
        guard let url = URL(string: "http://127.0.0.1:\(port)") else { throw URLError(.badURL) }
        self.socket = socket
        self.url = url
    }

    deinit { socket.close() }
}
