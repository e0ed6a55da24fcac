import Foundation

/// The response of a stub.
public enum EndpointSampleResponse: Sendable {
    /// A response with a status code and a body.
    case networkResponse(Int, Data)
    /// A response with a body.
    case response(HTTPURLResponse, Data)
    /// A failure of the transport.
    case networkError(NSError)
}
