import Foundation

extension TransportRequest {
    /// Sends this request with `exchange`, and ends the exchange when the ``deadline`` passes. Ends
    /// a streamed body as well.
    ///
    /// For transports without a timer of their own, around ``followingRedirects(_:)``. Without a
    /// deadline, this only calls `exchange`.
    ///
    /// - Throws: The error of `exchange`; `URLError(.timedOut)` at the deadline, when `exchange`
    ///   has ended after its cancellation.
    public func keepingDeadline(
        _ exchange: @escaping @Sendable (TransportRequest) async throws -> TransportResponse
    ) async throws -> TransportResponse {
        guard let deadline else { return try await exchange(self) }
        let url = urlRequest.url
        let response = try await deadline.run(for: url, discarding: { $0.discard() }) {
            try await exchange(self)
        }
        if case .stream(let body) = response.body { body.end(at: deadline, url: url) }
        return response
    }

    /// Returns `error`, or the error of the deadline in place of a cancellation after it: a layer
    /// that keeps the same deadline may cancel the exchange before its transport notices.
    @usableFromInline
    func attributing(_ error: any Error) -> any Error {
        deadline?.attributing(error, url: urlRequest.url) ?? error
    }
}
