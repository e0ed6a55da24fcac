import Foundation

/// Type-erased target, for a provider that makes requests for several target types.
///
/// ```swift
/// let provider = MoyaProvider<MultiTarget>(transport: transport)
/// let zen = try await provider.request(MultiTarget(GitHub.zen))
/// ```
public enum MultiTarget: TargetType {
    /// Wraps a target.
    case target(any TargetType)

    /// Wraps `target`. Shorthand for ``target(_:)``.
    public init(_ target: any TargetType) {
        self = .target(target)
    }

    /// The wrapped target.
    public var target: any TargetType {
        switch self {
        case .target(let target): target
        }
    }

    /// Returns the target that a `MultiTarget` wraps, and any other target as it is.
    static func unwrap(_ target: any TargetType) -> any TargetType {
        var inner = target
        while let multiTarget = inner as? MultiTarget { inner = multiTarget.target }
        return inner
    }

    public var baseURL: URL { target.baseURL }
    public var path: String { target.path }
    public var method: Method { target.method }
    public var sampleData: Data { target.sampleData }
    public var task: RequestTask { target.task }
    public var validationType: ValidationType { target.validationType }
    public var headers: [String: String]? { target.headers }
    public var timeoutInterval: TimeInterval? { target.timeoutInterval }
    public var totalTimeout: TimeInterval? { target.totalTimeout }
    public var cachePolicy: URLRequest.CachePolicy? { target.cachePolicy }
}
