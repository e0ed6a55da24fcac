import Foundation

extension MockServer {
    /// Waits until `count` requests have been received, and returns all there are.
    ///
    /// - Throws: ``MockServer/TimeoutError`` after `timeout` seconds; `CancellationError`.
    public func waitForRequests(
        _ count: Int, timeout: TimeInterval = 60
    ) async throws -> [MockRequest] {
        try await record.wait(timeout, for: "\(count) requests") { $0.requests.count >= count }
        return requests
    }

    /// Waits until `count` connections have been accepted.
    ///
    /// - Throws: ``MockServer/TimeoutError`` after `timeout` seconds; `CancellationError`.
    public func waitForConnections(_ count: Int, timeout: TimeInterval = 60) async throws {
        try await record.wait(timeout, for: "\(count) connections") { $0.acceptedCount >= count }
    }

    /// Waits until every client has left.
    ///
    /// - Throws: ``MockServer/TimeoutError`` after `timeout` seconds; `CancellationError`.
    public func waitUntilDisconnected(timeout: TimeInterval = 60) async throws {
        try await record.wait(timeout, for: "every client to leave") { $0.connections.isEmpty }
    }
}
