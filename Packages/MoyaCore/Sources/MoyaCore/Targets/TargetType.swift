import Foundation

/// What a ``MoyaProvider`` needs to know to make a request. Usually an enum with one case
/// for each thing a service can do.
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
/// Conform where the target is declared. In a module that isolates everything to the main actor, the conformance of an
/// extension would be isolated as well, unless it is a `nonisolated extension`. One in another file needs `Sendable` at the
/// declaration, `enum GitHub: Sendable`: Swift wants that in the type's own file.
@preconcurrency
public protocol TargetType: Sendable {
    /// The URL every path is appended to.
    var baseURL: URL { get }

    /// The path to append to ``baseURL``.
    ///
    /// Sequences that are percent-encoded already are kept; every other character that a path
    /// cannot hold is encoded, `?` included. Put values in with `\(segment: value)`.
    var path: String { get }

    /// The request's method.
    var method: Method { get }

    /// The body of the stubbed answer. Empty unless you say otherwise.
    var sampleData: Data { get }

    /// What is sent, and where the answer goes.
    var task: RequestTask { get }

    /// Which status codes count as success. ``ValidationType/none`` unless you say otherwise.
    var validationType: ValidationType { get }

    /// The request's header fields.
    var headers: [String: String]? { get }

    /// How long nothing may move, in seconds. `nil` means `URLRequest`'s own 60, and 0 or less no bound.
    var timeoutInterval: TimeInterval? { get }

    /// What a layer that caches does with the request. `nil` means `URLRequest`'s own policy.
    ///
    /// Transports themselves keep no cache, unless FoundationTransport is given one on Apple platforms: they load whatever
    /// they are asked for. What only a cache may answer (`returnCacheDataDontLoad`), each that has none fails with
    /// `NSURLErrorResourceUnavailable` (-1008).
    var cachePolicy: URLRequest.CachePolicy? { get }
}

extension TargetType {
    public var sampleData: Data { Data() }
    public var validationType: ValidationType { .none }
    public var timeoutInterval: TimeInterval? { nil }
    public var cachePolicy: URLRequest.CachePolicy? { nil }
}
