import Foundation

/// What ``MockServer`` and `NIOMockServer` have in common: the responses that a test sets up, and the requests received.
public class RecordingServer: @unchecked Sendable {
    // Safe: it and its subclasses have constants alone, which guard their own state.

    /// Answers a request. Called on any thread; it may block.
    public typealias Handler = @Sendable (MockRequest) -> MockResponse

    /// The port it listens on.
    public let port: Int
    /// `http://127.0.0.1:port`, or `https://localhost:port`
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

    /// How many enqueued responses are left.
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

    // MARK: Requests

    /// The requests received so far, whole ones, in the order in which they ended.
    public var requests: [MockRequest] { record.withLock(\.requests) }
    /// How many connections have been accepted.
    public var connectionCount: Int { record.withLock(\.acceptedCount) }
    /// How many connections are open.
    public var openConnectionCount: Int { record.withLock(\.connections.count) }

    /// Waits until `count` requests have been received, and returns all there are.
    ///
    /// - Throws: ``MockServer/TimeoutError`` after `timeout` seconds; `CancellationError`.
    public func waitForRequests(
        _ count: Int, timeout: TimeInterval = 60
    ) async throws -> [MockRequest] {
        try await record.wait(timeout, for: "\(count) requests") { $0.requests.count >= count }
        return requests
    }

    /// Waits until every client has left.
    ///
    /// - Throws: ``MockServer/TimeoutError`` after `timeout` seconds; `CancellationError`.
    public func waitUntilDisconnected(timeout: TimeInterval = 60) async throws {
        try await record.wait(timeout, for: "every client to leave") { $0.connections.isEmpty }
    }
}
