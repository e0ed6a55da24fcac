import Foundation

/// The content of a request and the destination of its response. Moya's `Task`.
///
/// Body, query and delivery are independent of each other. Common combinations have factories
/// (``requestPlain``, ``requestParameters(parameters:encoding:)``, …). Other modules add theirs:
/// `MoyaMultipart` adds uploads and downloads.
///
/// The type is called `RequestTask` because `Task` is a type of Swift's concurrency. `import Moya`
/// also declares the short name.
public struct RequestTask: Sendable {
    /// A request body.
    public enum Body: Sendable {
        /// No body.
        case none
        /// Raw bytes.
        case data(Data)
        /// A value, encoded as JSON or by another encoder.
        case encodable(any Encodable & Sendable, encoder: any BodyEncoder)
        /// Parameters. `encoding` places them in the body or in the query.
        case parameters(Parameters, encoding: any ParameterEncoding)
        /// A body from another module, such as a file or a multipart form.
        case upload(any UploadBody)
    }

    /// Content appended to the URL's query.
    public enum Query: Sendable {
        /// No content.
        case none
        /// Parameters, placed in the query whatever the encoding's destination.
        case parameters(Parameters, encoding: URLEncoding)
        /// A value, encoded field by field.
        case encodable(any Encodable & Sendable, encoder: URLQueryEncoder)
        /// Several queries, appended in order.
        case several([Query])
    }

    /// The request body.
    public var body: Body
    /// The content appended to the URL's query.
    public var query: Query
    /// The destination of the response's body, and the conversion to the caller's response.
    public var delivery: any ResponseDelivery
    /// The redirect policy. Follows redirects by default.
    public var redirectPolicy = RedirectPolicy.follow()
    /// Whether the parameters of the body must be encoded to the body, because the query has its
    /// own.
    var isComposite = false

    /// Whether the body is an upload, whose progress is reported.
    var isUpload: Bool { if case .upload = body { true } else { false } }

    /// Creates a task.
    public init(
        body: Body = .none, query: Query = .none, delivery: any ResponseDelivery = MemoryDelivery()
    ) {
        self.body = body
        self.query = query
        self.delivery = delivery
    }

    /// Returns the task with another redirect policy.
    ///
    /// ```swift
    /// var task: Task { .requestPlain.redirecting(.refuse) }
    /// ```
    ///
    /// To set the policy for all targets of a provider, use its `endpointClosure`:
    /// `endpoint.replacing(task: endpoint.task.redirecting(.refuse))`. A request with a policy
    /// other than the default never shares the response of an equal request in flight.
    public func redirecting(_ policy: RedirectPolicy) -> RequestTask {
        var task = self
        task.redirectPolicy = policy
        return task
    }
}

/// A request body that another module implements.
///
/// Equal bodies must send equal bytes: in-flight tracking relies on it. It compares bodies while it
/// holds a lock, so `==` must not start requests.
public protocol UploadBody: Sendable, Hashable {
    /// Validates the body and adds header fields that it needs to `request`, such as a
    /// `Content-Type` that the caller has not set.
    ///
    /// - Throws: Any error. The request fails with it, wrapped in ``MoyaError/underlying(_:_:)``
    ///   unless it is a ``MoyaError``.
    func makeBody(for request: inout URLRequest) throws -> RequestBody
}

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
