import Foundation
import MoyaCore
import MoyaStubs

extension MockServer {
    /// Creates a server that answers as an OpenAPI document describes: with examples of the
    /// document or made from its schemas. It refuses requests that the document does not allow,
    /// with a message that names the place.
    ///
    /// ```swift
    /// let server = try MockServer(answering: try OpenAPIDocument(contentsOf: file))
    /// server.on("GET", "/pets/{id}") { _ in .text("busy", status: 503) }     // this one fails
    /// ```
    ///
    /// - Throws: A POSIX error if the system has no socket or port left.
    public convenience init(
        answering document: OpenAPIDocument, delivery: MockDelivery? = nil
    ) throws {
        try self.init(delivery: delivery) { document.response(to: $0) }
    }
}

extension OpenAPIDocument {
    /// Answers a request to a mock server, for the handler of a `NIOMockServer`:
    ///
    /// ```swift
    /// let server = try NIOMockServer { document.response(to: $0) }
    /// ```
    public func response(to request: MockRequest) -> MockResponse {
        guard let url = URL(string: "http://localhost\(request.target)") else {
            return .text("The request has an invalid target.", status: 400)
        }
        var urlRequest = URLRequest(url: url)
        urlRequest.httpMethod = request.method
        for field in request.headers {
            urlRequest.addValue(field.value, forHTTPHeaderField: field.name)
        }
        do {
            let response = try self.response(
                to: TransportRequest(urlRequest, body: .data(request.body)))
            var answer = MockResponse(
                status: response.head.statusCode, headers: response.head.fields)
            if case .data(let data) = response.body { answer.body = .data(data) }
            return answer
        } catch {
            return .text("\(error)", status: 500)
        }
    }
}
