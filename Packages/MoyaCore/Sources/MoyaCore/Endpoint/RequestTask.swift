import Foundation

/// What a target sends and where its answer goes: Moya's `Task`.
///
/// Body, query and delivery are independent of each other. The usual combinations have
/// names (``requestPlain``, ``requestParameters(parameters:encoding:)``, …); modules add
/// their own (`MoyaMultipart` adds uploads and downloads).
///
/// The type is called `RequestTask` because Swift's concurrency owns the name `Task`;
/// `import Moya` has the short name too.
public struct RequestTask: Sendable {
    /// What is sent after the header fields.
    public enum Body: Sendable {
        /// No body.
        case none
        /// These bytes.
        case data(Data)
        /// A value, encoded as JSON or by another encoder.
        case encodable(any Encodable & Sendable, encoder: any BodyEncoder)
        /// Parameters, placed by `encoding`: in the body, or in the query.
        case parameters(Parameters, encoding: any ParameterEncoding)
        /// A body another module makes, such as a file or a multipart form.
        case upload(any UploadBody)
    }

    /// What is appended to the URL's query.
    public enum Query: Sendable {
        /// Nothing.
        case none
        /// Parameters, placed in the query whatever the encoding's destination.
        case parameters(Parameters, encoding: URLEncoding)
        /// A value, encoded field by field.
        case encodable(any Encodable & Sendable, encoder: URLQueryEncoder)
        /// These, one after the other.
        case several([Query])
    }

    /// What is sent after the header fields.
    public var body: Body
    /// What is appended to the URL's query.
    public var query: Query
    /// Where the answer goes.
    public var delivery: any ResponseDelivery
    /// What happens when the server answers with a redirect.
    public var redirectPolicy = RedirectPolicy.follow()
    /// Whether the parameters of the body must not go into the query, which has its own.
    var isComposite = false

    /// A task out of its parts.
    public init(
        body: Body = .none, query: Query = .none, delivery: any ResponseDelivery = MemoryDelivery()
    ) {
        self.body = body
        self.query = query
        self.delivery = delivery
    }

    /// The same task, with another answer to redirects.
    ///
    /// ```swift
    /// var task: Task { .requestPlain.redirecting(.refuse) }
    /// ```
    ///
    /// For all targets of a provider, its `endpointClosure` can do it:
    /// `endpoint.replacing(task: endpoint.task.redirecting(.refuse))`. Such a request never shares another one's answer.
    public func redirecting(_ policy: RedirectPolicy) -> RequestTask {
        var task = self
        task.redirectPolicy = policy
        return task
    }
}

/// A request body that a module outside MoyaCore brings.
///
/// Two bodies that are equal send the same bytes: in-flight tracking relies on it, and compares them
/// under a lock. Make no requests in `==`.
public protocol UploadBody: Sendable, Hashable {
    /// Checks the body and adds what it needs to the request, such as a `Content-Type` the
    /// caller has not set.
    ///
    /// - Throws: An error that names what is wrong. The request then fails with
    ///   ``MoyaError/underlying(_:_:)`` around it; a ``MoyaError`` is passed on as it is.
    func makeBody(for request: inout URLRequest) throws -> RequestBody
}

/// Where the answer to a task goes, and what the caller gets of it.
public protocol ResponseDelivery: Sendable {
    /// Where the transport shall put the body. Called once for each exchange, before it starts.
    func makeDestination() throws -> ResponseDestination

    /// Makes of the transport's answer what the caller gets.
    ///
    /// A stub answers in memory even where `destination` is a file.
    ///
    /// - Parameters:
    ///   - isAccepted: Whether the status passed the target's validation.
    /// - Throws: Why it could not be delivered. The request then fails with
    ///   ``MoyaError/underlying(_:_:)`` around it, the response included, and a file that is left is
    ///   removed.
    func deliver(
        _ response: TransportResponse, from destination: ResponseDestination, isAccepted: Bool
    ) throws -> TransportResponse
}

/// Keeps the answer in memory. The default.
public struct MemoryDelivery: ResponseDelivery {
    /// The most bytes the body may have, after decompression. A larger one fails the request with
    /// `URLError(.dataLengthExceedsMaximum)`.
    public var limit: Int

    /// - Parameter limit: In bytes. 256 MiB unless you say otherwise; 0 takes an empty body alone.
    public init(limit: Int = ResponseDestination.defaultMemoryLimit) {
        self.limit = limit
    }

    public func makeDestination() throws -> ResponseDestination { .memory(limit: limit) }

    public func deliver(
        _ response: TransportResponse, from destination: ResponseDestination, isAccepted: Bool
    ) throws -> TransportResponse { response }
}
