import Foundation
import MoyaCore

extension Stub {
    /// A response with the example of an operation in `document`, or one made from its schema.
    ///
    /// ```swift
    /// network.on(.name("getPet")).respond(
    ///     try Stub(operation: "getPet", in: document, status: 404))
    /// ```
    ///
    /// - Parameters:
    ///   - operation: The `operationId`, or method and path as in the document: `GET /pets/{id}`.
    ///   - status: Status code of the response. `nil` selects the lowest documented one from 200 to
    ///     299.
    /// - Throws: ``OpenAPIDocument/Failure`` if the document has no such operation or status, or no
    ///   example, and none can be made.
    public init(
        operation: String, in document: OpenAPIDocument, status: Int? = nil
    ) throws {
        let operations = document.operations
        guard
            let found = operations.first(where: {
                $0.id == operation || $0.description == operation
            })
        else {
            let names = operations.map { $0.id ?? $0.description }
            let nearest = names.min { $0.distance(to: operation) < $1.distance(to: operation) }
            throw OpenAPIDocument.Failure(
                description: "The document has no operation \"\(operation)\"."
                    + (nearest.map { " Nearest: \"\($0)\"." } ?? ""))
        }
        let example = try document.example(of: found, status: status)
        self.init(
            .response(
                {
                    ResponseHead(statusCode: example.status, url: $0, fields: example.fields)
                }, .data(example.body)))
    }
}

extension StubTransport {
    /// Creates a transport that answers requests without a stub as `document` describes: see
    /// ``OpenAPIDocument/response(to:)``.
    ///
    /// ```swift
    /// let network = StubTransport(answering: document)
    /// network.on(.name("getPet")).respond(.response(503))     // but this operation fails
    /// ```
    public convenience init(answering document: OpenAPIDocument) {
        self.init { try document.response(to: try await $0.takingInBody()) }
    }
}
