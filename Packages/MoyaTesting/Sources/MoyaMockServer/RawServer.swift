import Foundation

/// A TCP server on 127.0.0.1 that does with each connection what it is told, byte by byte: for what is no
/// HTTP, or HTTP that a real server would never speak.
///
/// ```swift
/// let server = try RawServer { connection in
///     _ = connection.read(until: "\r\n\r\n")
///     connection.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel")
/// }
/// ```
public final class RawServer: Sendable {
    /// A connection. It is closed when the handler returns.
    public struct Connection: Sendable {
        let socket: Socket

        /// Sends `bytes`. Returns whether the client is still there.
        @discardableResult
        public func write(_ bytes: Data) -> Bool { socket.write(bytes) }

        /// Sends text as UTF-8. Returns whether the client is still there.
        @discardableResult
        public func write(_ text: String) -> Bool { socket.write(Data(text.utf8)) }

        /// What has arrived, at most 64 KiB, once there is something. Empty at the end.
        public func read() -> Data {
            withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 1) { buffer in
                Data(buffer.prefix(socket.read(into: buffer)))
            }
        }

        /// Everything up to where `mark` has arrived, or the client has left.
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

        /// Has the end of the handler reset the connection instead of closing it in order.
        public func resetAtEnd() { socket.setReset() }

        /// Closes this half, and waits until the client closes the other.
        public func halfClose() {
            socket.shutDownWriting()
            socket.drain()
        }

        /// Waits until the client has left.
        public func waitForClient() { socket.drain() }
    }

    /// `http://127.0.0.1:port`
    public let url: URL
    /// The port, which the system has chosen.
    public let port: Int
    private let listener: ThreadedListener

    /// A server that listens when this returns.
    ///
    /// - Parameter handler: Does with a connection what it likes, on a thread of its own.
    public init(handler: @escaping @Sendable (Connection) -> Void) throws {
        listener = try ThreadedListener()
        port = listener.port
        url = try listener.url(path: "/")
        listener.start { socket, _ in handler(Connection(socket: socket)) }
    }

    deinit { stop() }

    /// Ends every connection and stops listening. Its port is free when this returns. Later calls do nothing.
    public func stop() { listener.stop() }
}
