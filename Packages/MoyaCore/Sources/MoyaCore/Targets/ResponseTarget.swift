import Foundation

/// A target that declares the type of its response.
///
/// ```swift
/// struct GetUser: ResponseTarget {
///     typealias Response = User
///     let id: Int
///     var baseURL: URL { … }
///     var path: String { "/users/\(segment: id)" }
/// }
/// let user = try await provider.request(GetUser(id: 1))
/// ```
///
/// Use it with a `MoyaProvider<GetUser>` or a `MoyaProvider<MultiTarget>`. By default a target is a
/// GET without a body or header fields, and a status outside 200...299 is an error.
public protocol ResponseTarget<Response>: TargetType {
    /// The type of the decoded response: a `Decodable` type, `String`, `Data`, `Void`, or
    /// `Moya.Response` for the undecoded response. An optional type decodes an empty body as `nil`.
    ///
    /// In a module whose default isolation is the main actor, declare response types as
    /// `nonisolated struct User: Decodable, Sendable`.
    associatedtype Response: Sendable

    /// The type of the error body, decoded when validation rejects the status code: see
    /// ``MoyaError/failure(of:)``.
    associatedtype Failure: Sendable = Never

    /// Coders to use instead of the provider's. Defaults to `nil`, the provider's coders.
    var coders: Coders? { get }

    /// Returns the response's value. Implement it for a type that ``Coders`` cannot decode.
    ///
    /// - Parameter coders: The coders of the call, otherwise of the target, otherwise of the
    ///   provider.
    /// - Throws: Any error. The request fails with it, wrapped in ``MoyaError/underlying(_:_:)``
    ///   unless it is a ``MoyaError``.
    func decode(_ response: MoyaCore.Response, with coders: Coders) throws -> Response
}

extension ResponseTarget {
    public var method: Method { .get }
    public var task: RequestTask { .requestPlain }
    public var headers: [String: String]? { nil }
    public var validationType: ValidationType { .successCodes }
    public var coders: Coders? { nil }
}

extension ResponseTarget where Response: Decodable {
    public func decode(_ response: MoyaCore.Response, with coders: Coders) throws -> Response {
        try response.decode(Response.self, using: coders)
    }
}

extension ResponseTarget where Response == String {
    /// Returns the decoded string if the `Content-Type` is JSON, otherwise the body as UTF-8 text.
    public func decode(_ response: MoyaCore.Response, with coders: Coders) throws -> String {
        response.header("Content-Type").map(MediaType.init)?.isJSON == true
            ? try response.decode(String.self, using: coders) : try response.mapString()
    }
}

extension ResponseTarget where Response == Data {
    public func decode(_ response: MoyaCore.Response, with coders: Coders) -> Data { response.data }
}

extension ResponseTarget where Response == Void {
    public func decode(_ response: MoyaCore.Response, with coders: Coders) {}
}

extension ResponseTarget where Response == MoyaCore.Response {
    public func decode(
        _ response: MoyaCore.Response, with coders: Coders
    ) -> MoyaCore.Response { response }
}

/// A target whose sample data is encoded from a value.
///
/// ```swift
/// extension GetUser: SampledTarget {
///     var sample: User { User(login: "ashfurrow", id: 1) }
/// }
/// ```
public protocol SampledTarget: ResponseTarget where Response: Encodable {
    /// The value that stubs respond with.
    var sample: Response { get }
}

extension SampledTarget {
    /// ``sample``, encoded by the target's ``ResponseTarget/coders``, otherwise by the provider's
    /// (``Coders/ofSamples``). Empty if encoding fails; the checks of a `TargetCatalog`
    /// (MoyaTesting) report the error.
    public var sampleData: Data {
        (try? (coders ?? .ofSamples).encoder(for: nil).encode(sample)) ?? Data()
    }
}
