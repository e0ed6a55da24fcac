import Foundation

/// Determines where a response's body is stored, and converts the response for the caller.
public protocol ResponseDelivery: Sendable {
    /// Returns the destination of the response's body. Called once for each request, before it is
    /// sent.
    func makeDestination() throws -> ResponseDestination

    /// Converts the transport's response to the caller's response.
    ///
    /// A stub's response is in memory even if `destination` is a file.
    ///
    /// - Parameters:
    ///   - isAccepted: Whether the status code passed the target's validation.
    /// - Throws: Any error. The request fails with it, wrapped in ``MoyaError/underlying(_:_:)``
    ///   with the response unless it is a ``MoyaError``, and a remaining file is removed.
    func deliver(
        _ response: TransportResponse, from destination: ResponseDestination, isAccepted: Bool
    ) throws -> TransportResponse
}

/// Keeps the response's body in memory. The default delivery.
public struct MemoryDelivery: ResponseDelivery {
    /// Maximum size of the body after decompression, in bytes. A larger body fails the request with
    /// `URLError(.dataLengthExceedsMaximum)`.
    public var limit: Int

    /// - Parameter limit: In bytes. Defaults to 256 MiB. 0 accepts only an empty body.
    public init(limit: Int = ResponseDestination.defaultMemoryLimit) {
        self.limit = limit
    }

    public func makeDestination() throws -> ResponseDestination { .memory(limit: limit) }

    public func deliver(
        _ response: TransportResponse, from destination: ResponseDestination, isAccepted: Bool
    ) throws -> TransportResponse {
        guard case .data = response.body else {
            throw URLError(
                .unknown,
                "The transport returned a file or a stream, not the body in memory that the request asked for.",
                url: response.head.url)
        }
        return response
    }
}
