import Foundation

/// Describes the requests to a service for a ``MoyaProvider``. Usually an enum with one case for
/// each endpoint of the service.
///
/// ```swift
/// enum GitHub: TargetType {
///     case zen
///     case userProfile(String)
///
///     var baseURL: URL { URL(string: "https://api.github.com")! }
///     var path: String {
///         switch self {
///         case .zen: "/zen"
///         case .userProfile(let name): "/users/\(segment: name)"
///         }
///     }
///     var method: Moya.Method { .get }
///     var task: RequestTask { .requestPlain }
///     var headers: [String: String]? { nil }
/// }
/// ```
///
/// Declare the conformance with the type. In a module whose default isolation is the main actor, a
/// conformance in an extension is isolated too, unless the extension is `nonisolated`. A
/// conformance in another file requires `Sendable` in the declaration (`enum GitHub: Sendable`),
/// because Swift requires that conformance in the type's own file.
@preconcurrency
public protocol TargetType: Sendable {
    /// The URL that ``path`` is appended to.
    var baseURL: URL { get }

    /// The path to append to ``baseURL``.
    ///
    /// Percent-encoded sequences are kept. Every other character that is not valid in a path is
    /// percent-encoded, including `?`. Insert values with `\(segment: value)`.
    var path: String { get }

    /// The request method.
    var method: Method { get }

    /// The response body of stubs. Defaults to empty data.
    var sampleData: Data { get }

    /// The body and query to send, and the destination of the response's body.
    var task: RequestTask { get }

    /// The status codes that count as success. Defaults to ``ValidationType/none``: every status
    /// code succeeds.
    var validationType: ValidationType { get }

    /// The request's header fields. `nil` adds none. Of names that differ only in case, the last in
    /// lexicographic order is sent.
    var headers: [String: String]? { get }

    /// Idle timeout, in seconds. Defaults to `nil`, `URLRequest`'s default of 60. 0 or less
    /// disables the timeout.
    var timeoutInterval: TimeInterval? { get }

    /// Timeout of a whole request, in seconds: with its attempts and waits, redirects and bodies.
    /// Defaults to `nil`, no timeout. 0 or less disables the timeout, unlike the 0 of
    /// ``withDeadline(after:clock:isolation:_:)``, which has passed. See ``RequestDeadline``.
    var totalTimeout: TimeInterval? { get }

    /// Cache policy for a caching layer. Defaults to `nil`, `URLRequest`'s default policy.
    ///
    /// Transports have no cache, except a FoundationTransport that is given one on Apple platforms.
    /// A transport without a cache ignores the policy, except `returnCacheDataDontLoad`: such a
    /// request fails with `NSURLErrorResourceUnavailable` (-1008).
    var cachePolicy: URLRequest.CachePolicy? { get }
}

extension TargetType {
    public var sampleData: Data { Data() }
    public var validationType: ValidationType { .none }
    public var timeoutInterval: TimeInterval? { nil }
    public var totalTimeout: TimeInterval? { nil }
    public var cachePolicy: URLRequest.CachePolicy? { nil }
}
