import Foundation

/// What a stubbed request is answered with.
public enum EndpointSampleResponse: Sendable {
    /// A response with this status code and body.
    case networkResponse(Int, Data)
    /// This response with this body.
    case response(HTTPURLResponse, Data)
    /// No response: the exchange failed with this error.
    case networkError(NSError)
}
