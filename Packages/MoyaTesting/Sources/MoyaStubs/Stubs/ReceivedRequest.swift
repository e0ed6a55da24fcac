import Foundation
import MoyaCore

/// A request as it came to a stub.
public struct ReceivedRequest: Sendable {
    /// What would have been sent.
    public let request: TransportRequest
    /// The parameters of the path, by the names that the template gave them: `id` of `/users/{id}`.
    public let parameters: [String: String]

    init(_ request: TransportRequest, parameters: [String: String] = [:]) {
        self.request = request
        self.parameters = parameters
    }

    /// The method.
    public var method: HTTPMethod { request.requestMethod }
    /// The URL, query included.
    public var url: URL? { request.urlRequest.url }
    /// The body's bytes. `nil` where there are none.
    ///
    /// A body in a file is read now, not when the request came: `nil` where the file has been removed since, and
    /// other bytes where it has changed. While the stub is asked, in `respond`, the file is there still.
    public var body: Data? { request.bodyBytes }

    /// The value of the header field `name`, whatever its case.
    public func header(_ name: String) -> String? {
        request.urlRequest.value(forHTTPHeaderField: name)
    }

    /// The value of the query's first parameter `name`.
    public func query(_ name: String) -> String? {
        request.queryItems.first { $0.name == name }?.value
    }

    /// The body, decoded from JSON.
    ///
    /// - Throws: What decoding throws.
    public func json<Value: Decodable>(
        _ type: Value.Type = Value.self, using decoder: JSONDecoder = JSONDecoder()
    ) throws -> Value {
        try decoder.decode(type, from: body ?? Data())
    }
}
