import Foundation

/// A target that knows what comes back.
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
/// The provider is a `MoyaProvider<GetUser>` or a `MoyaProvider<MultiTarget>`. A target is a plain GET whose status has to
/// be 200 to 299, unless it says otherwise.
public protocol ResponseTarget<Response>: TargetType {
    /// What the response's body is decoded into: a `Decodable` type, `String`, `Data`, `Void`, or `Moya.Response` for the
    /// response as it is. An optional is `nil` where the body is empty. In a module that isolates everything to the main actor,
    /// a type of its own is `nonisolated struct User: Decodable, Sendable`.
    associatedtype Response: Sendable

    /// What the body is decoded into where the validation has refused the status: see ``MoyaError/failure(of:)``.
    associatedtype Failure: Sendable = Never

    /// Coders that stand in for those of the provider. `nil` unless you say otherwise.
    var coders: Coders? { get }

    /// The value of a response. Implement it for a type that is not decoded by ``Coders``.
    ///
    /// - Parameter coders: Those of the call, of the target or of the provider.
    /// - Throws: Why there is none. The request then fails with it, in ``MoyaError/underlying(_:_:)`` where it is no
    ///   ``MoyaError``.
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
    /// The string in a body of JSON, otherwise the body as text in UTF-8.
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

/// A target whose sample data are encoded from a value.
///
/// ```swift
/// extension GetUser: SampledTarget {
///     var sample: User { User(login: "ashfurrow", id: 1) }
/// }
/// ```
public protocol SampledTarget: ResponseTarget where Response: Encodable {
    /// What a stub answers with.
    var sample: Response { get }
}

extension SampledTarget {
    /// ``sample``, made by the encoder of the target's own coders, JSON where it has none. Empty where that fails: the checks
    /// of a `TargetCatalog` (MoyaTesting) report the reason.
    public var sampleData: Data { (try? encodedSample()) ?? Data() }

    /// ``sample``, encoded.
    @_spi(MoyaInternals)
    public func encodedSample() throws -> Data {
        try (coders ?? .json).encoder(for: nil).encode(sample)
    }
}
