/// Namespace of Moya's names, for code that writes `Moya.Method` or `Moya.Response`.
///
/// After `import Moya` this type shadows the module of the same name, so the names that Moya 15 has
/// are aliases in it. Other modules add theirs. A type that is new here has its own name alone.
public enum Moya {
    /// The library's version, as sent in `User-Agent`.
    public static let version = "1.0.0"

    public typealias AccessTokenAuthorizable = MoyaCore.AccessTokenAuthorizable
    public typealias AuthorizationType = MoyaCore.AuthorizationType
    public typealias Cancellable = MoyaCore.Cancellable
    public typealias CancellableToken = MoyaCore.CancellableToken
    public typealias Completion = MoyaCore.Completion
    public typealias Endpoint = MoyaCore.Endpoint
    public typealias EndpointSampleResponse = MoyaCore.EndpointSampleResponse
    public typealias JSONEncoding = MoyaCore.JSONEncoding
    public typealias Method = MoyaCore.Method
    public typealias MoyaError = MoyaCore.MoyaError
    public typealias MoyaProvider = MoyaCore.MoyaProvider
    public typealias MoyaProviderType = MoyaCore.MoyaProviderType
    public typealias MultiTarget = MoyaCore.MultiTarget
    public typealias ParameterEncoding = MoyaCore.ParameterEncoding
    public typealias PluginType = MoyaCore.PluginType
    public typealias ProgressBlock = MoyaCore.ProgressBlock
    public typealias ProgressResponse = MoyaCore.ProgressResponse
    public typealias RequestType = MoyaCore.RequestType
    public typealias Response = MoyaCore.Response
    public typealias StubBehavior = MoyaCore.StubBehavior
    public typealias TargetType = MoyaCore.TargetType
    public typealias Task = MoyaCore.RequestTask
    public typealias URLEncoding = MoyaCore.URLEncoding
    public typealias ValidationType = MoyaCore.ValidationType
    #if canImport(UIKit) || canImport(AppKit)
        public typealias Image = MoyaCore.Image
        public typealias ImageType = MoyaCore.ImageType
    #endif
    // Not of Moya. The macros write them with the prefix, which no type of the user's hides.
    public typealias ListedCase = MoyaCore.ListedCase
    public typealias PageSequence = MoyaCore.PageSequence
}
