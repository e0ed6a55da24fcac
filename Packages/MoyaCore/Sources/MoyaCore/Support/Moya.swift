/// Moya's names under the prefix `Moya.`, for code that writes `Moya.Method` or `Moya.Response`.
public enum Moya {
    public typealias Completion = MoyaCore.Completion
    public typealias Endpoint = MoyaCore.Endpoint
    public typealias EndpointSampleResponse = MoyaCore.EndpointSampleResponse
    public typealias Method = HTTPMethod
    public typealias MoyaError = MoyaCore.MoyaError
    public typealias MoyaProvider = MoyaCore.MoyaProvider
    public typealias MultiTarget = MoyaCore.MultiTarget
    public typealias ParameterEncoding = MoyaCore.ParameterEncoding
    public typealias JSONEncoding = MoyaCore.JSONEncoding
    public typealias URLEncoding = MoyaCore.URLEncoding
    public typealias PluginType = MoyaCore.PluginType
    public typealias ProgressBlock = MoyaCore.ProgressBlock
    public typealias ProgressResponse = MoyaCore.ProgressResponse
    public typealias RequestType = MoyaCore.RequestType
    public typealias Response = MoyaCore.Response
    public typealias StubBehavior = MoyaCore.StubBehavior
    public typealias TargetType = MoyaCore.TargetType
    public typealias Task = RequestTask
    public typealias ValidationType = MoyaCore.ValidationType
    public typealias Cancellable = MoyaCore.Cancellable
    public typealias CancellableToken = MoyaCore.CancellableToken
}
