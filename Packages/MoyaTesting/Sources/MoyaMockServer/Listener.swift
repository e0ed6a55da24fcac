import Foundation
import MoyaCore
import MoyaInternals

/// A listening socket that another thread can stop.
///
/// One thread calls ``accept()`` until it returns `nil`, and then ``close()``. ``wake()`` is called once,
/// from anywhere, before that or after it: whichever is the second closes the pipe.
struct Listener: Sendable {
    let port: Int
    private let socket: Socket
    private let wakeUp: (reader: Socket, writer: Socket)
    private let progress = Locked((isAwake: false, isClosed: false))

    /// Listens on 127.0.0.1, on a port of the system's choice.
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

    /// `http://127.0.0.1:port`, and `path` after it.
    func url(path: String = "") throws -> URL {
        var components = URLComponents()
        components.scheme = "http"
        components.host = "127.0.0.1"
        components.port = port
        components.path = path
        guard let url = components.url else { throw SocketError(call: "url", code: EINVAL) }
        return url
    }

    /// The next connection, or `nil` once ``wake()`` has been called.
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
                // The client that gives one up lets the next one in.
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
            // The reader is gone. Writing to a pipe without a reader would end the process.
            if progress.isClosed { return closePipe() }
            // The end of the pipe alone would not do: a child process may hold a copy of it.
            wakeUp.writer.writeByte()
        }
    }

    /// Frees the port.
    func close() {
        // A child process that is just being started holds a copy, which must not go on listening.
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
