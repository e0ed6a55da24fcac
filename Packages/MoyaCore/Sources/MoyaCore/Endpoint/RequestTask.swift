import Foundation

/// The content of a request and the destination of its response. Moya's `Task`.
///
/// The cases are Moya's, so that code can distinguish tasks:
///
/// ```swift
/// switch target.task {
/// case .requestPlain: print("no parameters")
/// case .requestParameters(let parameters, _): print(parameters)
/// default: print(target.task)
/// }
/// ```
///
/// Each task has a body, a query, a delivery and a redirect policy, which are independent of each
/// other: ``init(body:query:delivery:)`` combines them, and a task whose parts are changed is
/// ``custom(_:)``. Other modules create their tasks with static functions: `MoyaMultipart` those of
/// uploads and downloads.
///
/// The type is called `RequestTask` because `Task` is a type of Swift's concurrency. `import Moya`
/// also declares the short name.
public enum RequestTask: Sendable {
    /// A request without a body.
    case requestPlain

    /// A request with a body of bytes.
    case requestData(Data)

    /// A request with a value as its JSON body, with sorted keys.
    ///
    /// The encoder is that of the target's or the provider's ``Coders`` for JSON. Without coders it
    /// is a `JSONEncoder` with its default strategies, as in Moya. Sets the encoder's
    /// `Content-Type`, `application/json`, unless the target sets it.
    @preconcurrency
    case requestJSONEncodable(any Encodable & Sendable)

    /// A request with a value as its JSON body, encoded by `encoder`. Keys are sorted, so that
    /// equal values produce equal bytes, unless `encoder` is an instance of a subclass.
    ///
    /// Sets `Content-Type: application/json` unless the target sets it.
    @preconcurrency
    case requestCustomJSONEncodable(any Encodable & Sendable, encoder: JSONEncoder)

    /// A request with parameters in the body or the query, as `encoding` determines.
    @preconcurrency
    case requestParameters(parameters: Parameters, encoding: any ParameterEncoding)

    /// A request with `bodyData` as its body and parameters in the query.
    @preconcurrency
    case requestCompositeData(bodyData: Data, urlParameters: Parameters)

    /// A request with parameters in the body and in the query.
    ///
    /// `bodyEncoding` must encode to the body, for example ``URLEncoding/httpBody`` or
    /// ``JSONEncoding``. Otherwise the request fails with ``MoyaError/parameterEncoding(_:)``.
    @preconcurrency
    case requestCompositeParameters(
        bodyParameters: Parameters, bodyEncoding: any ParameterEncoding, urlParameters: Parameters)

    /// An upload of a file: a `FileUpload` of MoyaMultipart.
    case uploadFile(any UploadBody)

    /// An upload of a form from a list of parts: a `MultipartUpload` of MoyaMultipart.
    case uploadMultipart(any UploadBody)

    /// An upload of a form: a `MultipartUpload` of MoyaMultipart.
    case uploadMultipartFormData(any UploadBody)

    /// An upload of a form from a list of parts, with parameters in the query.
    @preconcurrency
    case uploadCompositeMultipart(any UploadBody, urlParameters: Parameters)

    /// An upload of a form, with parameters in the query.
    @preconcurrency
    case uploadCompositeMultipartFormData(any UploadBody, urlParameters: Parameters)

    /// A download to the file that a closure names.
    case downloadDestination(any ResponseDelivery)

    /// A download to the file that a closure names, with parameters.
    @preconcurrency
    case downloadParameters(
        parameters: Parameters, encoding: any ParameterEncoding, destination: any ResponseDelivery)

    /// A task without a case of Moya's, or with changed parts. Create it with
    /// ``init(body:query:delivery:)``.
    case custom(Components)

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

    /// The parts of a task.
    public struct Components: Sendable {
        /// The request body.
        public var body: Body
        /// The content appended to the URL's query.
        public var query: Query
        /// The destination of the response's body, and the conversion to the caller's response.
        public var delivery: any ResponseDelivery
        /// The redirect policy. Follows redirects by default.
        public var redirectPolicy = RedirectPolicy.follow()
        /// Whether the parameters of the body must be encoded to the body, because the query has
        /// its own.
        var isComposite = false
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
