import Foundation

/// Base class of ``MockServer`` and `NIOMockServer`: the responses that a test sets up, and the
/// requests received.
public class RecordingServer: @unchecked Sendable {
    // Safe: this class and its subclasses have only constants, which guard their own state.

    /// Answers a request. Called on any thread. May block.
    public typealias Handler = @Sendable (MockRequest) -> MockResponse

    /// The port on which the server listens.
    public let port: Int
    /// `http://127.0.0.1:port`, or `https://localhost:port` with TLS.
    public let url: URL
    let record: ServerRecord
    let router: MockRouter

    init(port: Int, url: URL, record: ServerRecord, router: MockRouter) {
        self.port = port
        self.url = url
        self.record = record
        self.router = router
    }

    // MARK: Responses

    /// Number of enqueued responses that are left.
    public var enqueuedCount: Int { router.enqueuedCount }

    /// Answers the next requests with these responses, one after the other, whatever the requests
    /// are. Enqueued responses take precedence over routes and the handler.
    public func enqueue(_ responses: MockResponse...) { router.enqueue(responses) }

    /// Answers requests for a path, in place of the handler. Later routes take precedence over
    /// earlier routes.
    ///
    /// ```swift
    /// server.on("GET", "/users/{id}") { .json(["id": $0.parameters["id"]]) }
    /// ```
    ///
    /// - Parameters:
    ///   - method: HTTP method. `nil` matches every method.
    ///   - template: Path template. A segment in braces matches any segment, whose value is in
    ///     ``MockRequest/parameters``.
    ///   - respond: Answers the requests.
    public func on(_ method: String?, _ template: String, respond: @escaping Handler) {
        router.on(method, template, respond)
    }

    // MARK: Requests

    /// Requests that were received completely, in the order of their ends.
    public var requests: [MockRequest] { record.state.withLock(\.requests) }
    /// Number of accepted connections.
    public var connectionCount: Int { record.state.withLock(\.acceptedCount) }
    /// Number of open connections.
    public var openConnectionCount: Int { record.state.withLock(\.connections.count) }

    /// Waits until `count` requests have been received, and returns all requests.
    ///
    /// - Throws: An error with the number of requests and the timeout, after `timeout` seconds;
    ///   `CancellationError`.
    public func waitForRequests(
        _ count: Int, timeout: TimeInterval = 60
    ) async throws -> [MockRequest] {
        try await record.wait(timeout, for: "\(count) requests") { $0.requests.count >= count }
        return requests
    }

    /// Waits until every client has disconnected.
    ///
    /// - Throws: An error with the timeout, after `timeout` seconds; `CancellationError`.
    public func waitUntilDisconnected(timeout: TimeInterval = 60) async throws {
        try await record.wait(timeout, for: "every client to leave") { $0.connections.isEmpty }
    }
}
