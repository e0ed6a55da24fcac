import Foundation
import MoyaCore
import MoyaInternals

/// A listening socket that another thread can stop.
///
/// One thread calls ``accept()`` until it returns `nil`, and then ``close()``. Any thread calls
/// ``wake()`` once, before or after ``close()``. The second of these two calls closes the pipe.
struct Listener: Sendable {
    let port: Int
    private let socket: Socket
    private let wakeUp: (reader: Socket, writer: Socket)
    private let progress = Locked((isAwake: false, isClosed: false))

    /// Listens on 127.0.0.1, on a port that the system chooses.
    init(backlog: Int32 = 1024) throws {
        (socket, port) = try Socket.reserve()
        do {
            try socket.listen(backlog: backlog)
            wakeUp = try Socket.pipe()
        } catch {
            socket.close()
            throw error
        }
    }

    /// Waits for the next connection. Returns `nil` after ``wake()``, and if accepting fails.
    func accept() -> Socket? {
        while true {
            switch Socket.waitForInput(on: socket, or: wakeUp.reader, milliseconds: -1) {
            case .second: return nil
            case .nothing: continue
            case .first: break
            }
            switch socket.accept() {
            case .connection(let connection): return connection
            case .none: continue
            case .noDescriptorLeft:
                // Retry after a millisecond: another connection may have been closed by then.
                let news = Socket.waitForInput(on: wakeUp.reader, milliseconds: 1)
                if case .first = news { return nil }
            case .failed: return nil
            }
        }
    }

    /// Makes ``accept()`` return `nil`.
    func wake() {
        progress.withLock { progress in
            progress.isAwake = true
            // `close()` was called, so no thread waits. It left the pipe open, because writing to a
            // pipe without a reader would raise SIGPIPE.
            if progress.isClosed { return closePipe() }
            // Writes a byte, because closing the writer is not enough: a child process may hold a
            // copy of it.
            wakeUp.writer.writeByte()
        }
    }

    /// Closes the socket and frees the port.
    func close() {
        // Shuts the socket down first: a child process that is just starting may hold a copy, which
        // would go on listening.
        socket.shutDown()
        socket.close()
        progress.withLock { progress in
            progress.isClosed = true
            if progress.isAwake { closePipe() }
        }
    }

    private func closePipe() {
        wakeUp.reader.close()
        wakeUp.writer.close()
    }
}
