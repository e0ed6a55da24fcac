import Foundation
import MoyaCore

/// An HTTP/1.1 server on 127.0.0.1, for tests and demonstrations: real sockets, real bytes.
///
/// ```swift
/// let server = try MockServer { request in
///     request.path == "/slow" ? .text("at last").delayed(by: 1) : .json(["path": request.path])
/// }
/// defer { server.stop() }
/// ```
///
/// It keeps connections alive, understands bodies with Content-Length and chunked ones, and answers
/// `Expect: 100-continue`. Each connection has a thread, so a handler may block.
public final class MockServer: Sendable {
    /// Answers a request. Called on the thread of its connection.
    public typealias Handler = @Sendable (MockRequest) -> MockResponse

    /// A condition on the server did not come true in time.
    public struct TimeoutError: Error, CustomStringConvertible {
        /// What was waited for, and for how long.
        public let description: String
    }

    /// The port it listens on.
    public let port: Int
    /// `http://127.0.0.1:port`
    public let url: URL
    let record: ServerRecord<Socket>
    let router: MockRouter
    private let listener: Listener
    private let listenerIsClosed = DispatchSemaphore(value: 0)

    /// A server that listens when this returns.
    ///
    /// - Parameters:
    ///   - delivery: Cuts and rearranges responses. `nil` sends them whole.
    ///   - handler: Answers each request. ``httpbin`` unless you bring your own.
    /// - Throws: A POSIX error if the system has no socket or port left.
    public init(delivery: MockDelivery? = nil, handler: @escaping Handler = MockServer.httpbin)
        throws
    {
        let listener = try Listener()
        self.listener = listener
        port = listener.port
        url = try listener.url()
        let record = ServerRecord<Socket>()
        let router = MockRouter()
        self.record = record
        self.router = router
        let listenerIsClosed = listenerIsClosed
        Thread.start {
            Self.accept(from: listener, record, delivery) { router.response(to: $0, or: handler) }
            listenerIsClosed.signal()
        }
    }

    deinit {
        stop()
        // Foundation's threads on Linux may keep what their blocks refer to: this record.
        record.withLock { $0.requests = [] }
    }

    /// The requests received so far, whole ones, in the order in which they ended.
    public var requests: [MockRequest] { record.withLock(\.requests) }
    /// How many connections have been accepted.
    public var connectionCount: Int { record.withLock(\.acceptedCount) }
    /// How many connections are open.
    public var openConnectionCount: Int { record.withLock(\.connections.count) }

    /// How many enqueued responses nobody has asked for yet.
    public var enqueuedCount: Int { router.enqueuedCount }

    /// Answers the next requests, whatever they are, with these responses, one after the other. They come before
    /// routes and handler.
    public func enqueue(_ responses: MockResponse...) { router.enqueue(responses) }

    /// Answers requests for a path, in place of the handler. A route that is added later comes first.
    ///
    /// ```swift
    /// server.on("GET", "/users/{id}") { .json(["id": $0.parameters["id"]]) }
    /// ```
    ///
    /// - Parameters:
    ///   - method: The method. `nil` for any.
    ///   - template: The path. A segment in braces stands for any, and is in ``MockRequest/parameters``.
    public func on(_ method: String?, _ template: String, respond: @escaping Handler) {
        router.on(method, template, respond)
    }

    /// Stops listening and ends every connection. Its port is free when this returns. Later calls do
    /// nothing.
    public func stop() {
        let isFirst = record.withLock { state in
            guard !state.isStopped else { return false }
            state.isStopped = true
            for socket in state.connections.values { socket.shutDown() }
            return true
        }
        guard isFirst else { return }
        listener.wake()
        listenerIsClosed.wait()
    }

    private static func accept(
        from listener: Listener, _ record: ServerRecord<Socket>, _ delivery: MockDelivery?,
        _ handler: @escaping Handler
    ) {
        while let socket = listener.accept() {
            guard let id = record.accept(socket) else {
                socket.close()
                break
            }
            Thread.start {
                serve(MockConnection(socket: socket, id: id, delivery: delivery), record, handler)
            }
        }
        listener.close()
    }

    private static func serve(
        _ connection: MockConnection, _ record: ServerRecord<Socket>, _ handler: Handler
    ) {
        var connection = connection
        var end = MockResponse.End.keepAlive
        while case .keepAlive = end {
            do throws(ReceiveBuffer.ReadError) {
                let request = try connection.readRequest()
                record.add(request)
                end = connection.write(handler(request), to: request)
            } catch {
                connection.refuse(error)
                end = .close
            }
        }
        let socket = connection.socket
        if end == .halfClose || end == .close { socket.shutDownWriting() }
        if end == .halfClose || end == .stall { socket.drain() }
        // Both in one step: nobody may shut down a descriptor that is somebody else's by then.
        record.withLock {
            $0.connections[connection.id] = nil
            if case .reset = end { socket.resetAndClose() } else { socket.close() }
        }
        record.announce()
    }
}

extension MockRequest {
    /// What is kept of the request: a large body's length, not its bytes.
    var recorded: MockRequest {
        guard body.count > 1 << 20 else { return self }
        var request = self
        request.body = Data()
        return request
    }
}

extension Thread {
    /// Runs `body` on a thread with a small stack, so that thousands fit.
    fileprivate static func start(_ body: @escaping @Sendable () -> Void) {
        let thread = Thread(block: body)
        thread.stackSize = 256 << 10
        thread.start()
    }
}
