import Foundation

/// Listens on 127.0.0.1, and serves each connection on a thread of its own.
struct ThreadedListener: Sendable {
    let record = ServerRecord()
    private let listener: Listener
    private let isClosed = DispatchSemaphore(value: 0)

    init() throws { listener = try Listener() }

    var port: Int { listener.port }

    /// `http://127.0.0.1:port`, and `path` after it.
    func url(path: String = "") throws -> URL { try listener.url(path: path) }

    /// Accepts connections until ``stop()``. A connection is closed when `serve` returns; it gets its number as well.
    func start(_ serve: @escaping @Sendable (Socket, Int) -> Void) {
        Self.detachThread {
            while let socket = listener.accept() {
                guard let id = record.accept(end: { socket.shutDown() }) else {
                    socket.close()
                    break
                }
                Self.detachThread {
                    serve(socket, id)
                    // A child process that is just being started may hold a copy.
                    if !socket.isReset { socket.shutDownWriting() }
                    // While the record is locked, so that `stop` ends no descriptor that has been opened anew.
                    record.remove(id) { socket.close() }
                }
            }
            listener.close()
            isClosed.signal()
        }
    }

    /// Ends every connection and stops listening. The port is free when this returns. Later calls do nothing.
    func stop() {
        guard record.stop() else { return }
        listener.wake()
        isClosed.wait()
    }

    /// Runs `body` on a thread with a small stack, so that thousands fit.
    private static func detachThread(_ body: @escaping @Sendable () -> Void) {
        let thread = Thread(block: body)
        thread.stackSize = 256 << 10
        thread.start()
    }
}
