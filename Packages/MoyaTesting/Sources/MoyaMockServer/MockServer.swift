import Foundation
import MoyaCore

/// An HTTP/1.1 server on 127.0.0.1, for tests and demonstrations. Uses real sockets.
///
/// ```swift
/// let server = try MockServer { request in
///     request.path == "/slow" ? .text("at last").delayed(by: 1) : .json(["path": request.path])
/// }
/// defer { server.stop() }
/// ```
///
/// Keeps connections alive, reads bodies with `Content-Length` and chunked bodies, and answers
/// `Expect: 100-continue`. Each connection has a thread, so a handler may block.
public final class MockServer: RecordingServer, @unchecked Sendable {
    /// A server did not reach an expected state in time.
    struct TimeoutError: Error, CustomStringConvertible {
        /// The expected state, and the timeout.
        let description: String
    }

    private let listener: ThreadedListener

    /// Creates a server that is listening when this initializer returns.
    ///
    /// - Parameters:
    ///   - delivery: Cuts and rearranges responses. `nil` sends them whole.
    ///   - handler: Answers requests without an enqueued response and without a route. ``httpbin``
    ///     by default.
    /// - Throws: A POSIX error if the system has no socket or port left.
    public init(delivery: MockDelivery? = nil, handler: @escaping Handler = MockServer.httpbin)
        throws
    {
        let listener = try ThreadedListener()
        self.listener = listener
        super.init(
            port: listener.port, url: try listener.url(), record: listener.record,
            router: MockRouter())
        listener.start { [record, router] socket, id in
            let connection = MockConnection(socket: socket, id: id, delivery: delivery)
            Self.serve(connection, record) { router.responder(to: $0, or: handler) }
        }
    }

    deinit {
        stop()
        // On Linux, Foundation's threads may retain their blocks, and with them this record.
        record.state.withLock { $0.requests = [] }
    }

    /// Stops listening and ends every connection. The port is free when this method returns. Later
    /// calls have no effect.
    public func stop() { listener.stop() }

    private static func serve(
        _ connection: MockConnection, _ record: ServerRecord,
        _ responder: (MockRequest) -> () -> MockResponse
    ) {
        var connection = connection
        var end = MockResponse.End.keepAlive
        while case .keepAlive = end {
            do throws(ReceiveBuffer.ReadError) {
                let request = try connection.readRequest()
                let respond = responder(request)
                record.add(request)
                end = connection.write(respond(), to: request)
            } catch {
                connection.refuse(error)
                end = .close
            }
        }
        let socket = connection.socket
        switch end {
        case .keepAlive, .close: break
        case .reset: socket.setReset()
        case .halfClose:
            socket.shutDownWriting()
            socket.drain()
        case .stall: socket.drain()
        }
    }
}

extension MockRequest {
    /// Copy for the record. Omits a body over 1 MiB, but keeps its length.
    var recorded: MockRequest {
        guard body.count > 1 << 20 else { return self }
        var request = self
        request.body = Data()
        return request
    }
}
