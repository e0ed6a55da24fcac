import Foundation
import MoyaCore

/// A request as a stub received it.
public struct ReceivedRequest: Sendable {
    /// The request as it would have been sent.
    public let request: TransportRequest
    /// Values of the path's placeholders by name: `id` of `/users/{id}`.
    public let parameters: [String: String]

    /// The HTTP method.
    public var method: HTTPMethod { request.requestMethod }
    /// The URL, including the query.
    public var url: URL? { request.urlRequest.url }
    /// Bytes of the body. `nil` for a request without a body.
    ///
    /// Each access reads a body in a file again: the result is `nil` if the file has been removed
    /// since the request arrived, and new bytes if the file has changed. While a stub's `respond`
    /// closure runs, the file still exists.
    public var body: Data? { request.bodyBytes }

    /// Returns the value of the header field `name`. Ignores case.
    public func header(_ name: String) -> String? {
        request.urlRequest.value(forHTTPHeaderField: name)
    }

    /// Returns the value of the first query parameter `name`.
    public func query(_ name: String) -> String? {
        request.queryItems.first { $0.name == name }?.value
    }

    /// Decodes the body from JSON.
    ///
    /// - Parameter decoder: `nil` uses the `Coders` of the target or the provider.
    /// - Throws: Errors of the decoder.
    public func json<Value: Decodable>(
        _ type: Value.Type = Value.self, using decoder: JSONDecoder? = nil
    ) throws -> Value {
        let decoder: any BodyDecoder =
            decoder ?? request.context.coders.decoder(for: header("Content-Type"))
        return try decoder.decode(type, from: body ?? Data())
    }
}
