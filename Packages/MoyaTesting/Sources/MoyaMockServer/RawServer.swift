import Foundation

/// A TCP server on 127.0.0.1 with a handler that reads and writes bytes. For protocols other than
/// HTTP, and for invalid HTTP.
///
/// ```swift
/// let server = try RawServer { connection in
///     _ = connection.read(until: "\r\n\r\n")
///     connection.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel")
/// }
/// ```
public final class RawServer: Sendable {
    /// A connection. Closed when the handler returns.
    public struct Connection: Sendable {
        let socket: Socket

        /// Sends `bytes`. Returns `false` if the client has disconnected.
        @discardableResult
        public func write(_ bytes: Data) -> Bool { socket.write(bytes) }

        /// Sends text as UTF-8. Returns `false` if the client has disconnected.
        @discardableResult
        public func write(_ text: String) -> Bool { socket.write(Data(text.utf8)) }

        /// Waits for data and returns at most 64 KiB. Empty after the client has disconnected.
        public func read() -> Data {
            withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 1) { buffer in
                Data(buffer.prefix(socket.read(into: buffer)))
            }
        }

        /// Reads until `mark` has arrived, or the client has disconnected. Returns all data, which
        /// may include bytes after `mark`.
        public func read(until mark: String) -> Data {
            let mark = Data(mark.utf8)
            var data = Data()
            while data.range(of: mark) == nil {
                let more = read()
                if more.isEmpty { break }
                data += more
            }
            return data
        }

        /// Makes the connection end with a reset (TCP RST) when the handler returns.
        public func resetAtEnd() { socket.setReset() }

        /// Closes the sending side, and waits until the client closes the connection.
        public func halfClose() {
            socket.shutDownWriting()
            socket.drain()
        }

        /// Waits until the client has disconnected.
        public func waitForClient() { socket.drain() }
    }

    /// `http://127.0.0.1:port/`.
    public let url: URL
    /// The port, chosen by the system.
    public let port: Int
    private let listener: ThreadedListener

    /// Creates a server that is listening when this initializer returns.
    ///
    /// - Parameter handler: Serves one connection. Called on a separate thread for each connection,
    ///   so it may block.
    /// - Throws: A POSIX error if the system has no socket or port left.
    public init(handler: @escaping @Sendable (Connection) -> Void) throws {
        listener = try ThreadedListener()
        port = listener.port
        url = try listener.url(path: "/")
        listener.start { socket, _ in handler(Connection(socket: socket)) }
    }

    deinit { stop() }

    /// Stops listening and ends every connection. The port is free when this method returns. Later
    /// calls have no effect.
    public func stop() { listener.stop() }
}
