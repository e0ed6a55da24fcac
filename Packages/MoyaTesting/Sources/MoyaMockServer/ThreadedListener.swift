import Foundation

/// Listens on 127.0.0.1 and serves each connection on a separate thread.
struct ThreadedListener: Sendable {
    let record = ServerRecord()
    private let listener: Listener
    private let isClosed = DispatchSemaphore(value: 0)

    init() throws { listener = try Listener() }

    var port: Int { listener.port }

    /// Returns `http://127.0.0.1:port` followed by `path`.
    func url(path: String = "") throws -> URL {
        guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else {
            throw URLError(.badURL)
        }
        return url
    }

    /// Accepts connections until ``stop()``. Calls `serve` with each connection and its number, and
    /// closes the connection when `serve` returns.
    func start(_ serve: @escaping @Sendable (Socket, Int) -> Void) {
        ServerThread.detach {
            while let socket = listener.accept() {
                guard let id = record.accept(end: { socket.shutDown() }) else {
                    socket.close()
                    break
                }
                ServerThread.detach {
                    serve(socket, id)
                    // Ends the connection for the peer even if a child process that is just
                    // starting holds a copy of the descriptor.
                    if !socket.isReset { socket.shutDownWriting() }
                    // Under the lock of the record: otherwise `stop` could shut down a new socket
                    // that has got the same descriptor number.
                    record.remove(id) { socket.close() }
                }
            }
            listener.close()
            isClosed.signal()
        }
    }

    /// Stops listening and ends every connection. The port is free when this method returns. Later
    /// calls have no effect.
    func stop() {
        guard record.stop() else { return }
        listener.wake()
        isClosed.wait()
    }
}
