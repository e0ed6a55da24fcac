/// This library's names under the prefix `Moya.`, for code that writes `Moya.Method` or `Moya.Response`. Other modules
/// add theirs.
///
/// Under `import Moya` this type hides the module of the same name, so every public name has to be here.
public enum Moya {
    /// The version of this library, as in `User-Agent`.
    public static let version = "1.0.0"

    /// A request's task, by the name Moya gives it.
    public typealias Task = RequestTask
    /// An HTTP method, by the name Moya gives it.
    public typealias Method = HTTPMethod

    public typealias AccessTokenAuthorizable = MoyaCore.AccessTokenAuthorizable
    public typealias AuthorizationType = MoyaCore.AuthorizationType
    public typealias Cancellable = MoyaCore.Cancellable
    public typealias CancellableToken = MoyaCore.CancellableToken
    public typealias Completion = MoyaCore.Completion
    public typealias CompositeTrustEvaluator = MoyaCore.CompositeTrustEvaluator
    public typealias DefaultTrustEvaluator = MoyaCore.DefaultTrustEvaluator
    public typealias DisabledTrustEvaluator = MoyaCore.DisabledTrustEvaluator
    public typealias Endpoint = MoyaCore.Endpoint
    public typealias EndpointSampleResponse = MoyaCore.EndpointSampleResponse
    public typealias HTTPMethod = MoyaCore.HTTPMethod
    public typealias HeaderField = MoyaCore.HeaderField
    public typealias JSONEncoding = MoyaCore.JSONEncoding
    public typealias LayerClock = MoyaCore.LayerClock
    public typealias MemoryDelivery = MoyaCore.MemoryDelivery
    public typealias MoyaError = MoyaCore.MoyaError
    public typealias MoyaProvider = MoyaCore.MoyaProvider
    public typealias MoyaProviderType = MoyaCore.MoyaProviderType
    public typealias MultiTarget = MoyaCore.MultiTarget
    public typealias ParameterEncoding = MoyaCore.ParameterEncoding
    public typealias ParameterEncodingError = MoyaCore.ParameterEncodingError
    public typealias Parameters = MoyaCore.Parameters
    public typealias PinnedCertificatesTrustEvaluator = MoyaCore.PinnedCertificatesTrustEvaluator
    public typealias PluginType = MoyaCore.PluginType
    public typealias ProgressBlock = MoyaCore.ProgressBlock
    public typealias ProgressResponse = MoyaCore.ProgressResponse
    public typealias PropertyListEncoding = MoyaCore.PropertyListEncoding
    public typealias PublicKeysTrustEvaluator = MoyaCore.PublicKeysTrustEvaluator
    public typealias Redaction = MoyaCore.Redaction
    public typealias RedirectPolicy = MoyaCore.RedirectPolicy
    public typealias RequestBody = MoyaCore.RequestBody
    public typealias RequestBodyStream = MoyaCore.RequestBodyStream
    public typealias RequestError = MoyaCore.RequestError
    public typealias RequestTask = MoyaCore.RequestTask
    public typealias RequestType = MoyaCore.RequestType
    public typealias Response = MoyaCore.Response
    public typealias ResponseBody = MoyaCore.ResponseBody
    public typealias ResponseBodyStream = MoyaCore.ResponseBodyStream
    public typealias ResponseDelivery = MoyaCore.ResponseDelivery
    public typealias ResponseDestination = MoyaCore.ResponseDestination
    public typealias ResponseHead = MoyaCore.ResponseHead
    public typealias RevocationTrustEvaluator = MoyaCore.RevocationTrustEvaluator
    public typealias ServerCertificate = MoyaCore.ServerCertificate
    public typealias ServerPublicKey = MoyaCore.ServerPublicKey
    public typealias ServerTrustError = MoyaCore.ServerTrustError
    public typealias ServerTrustEvaluating = MoyaCore.ServerTrustEvaluating
    public typealias ServerTrustManager = MoyaCore.ServerTrustManager
    public typealias StreamingResponse = MoyaCore.StreamingResponse
    public typealias StubBehavior = MoyaCore.StubBehavior
    public typealias SystemClock = MoyaCore.SystemClock
    public typealias TargetType = MoyaCore.TargetType
    public typealias TransferProgress = MoyaCore.TransferProgress
    public typealias Transport = MoyaCore.Transport
    public typealias TransportMetrics = MoyaCore.TransportMetrics
    public typealias TransientFailure = MoyaCore.TransientFailure
    public typealias TransportRequest = MoyaCore.TransportRequest
    public typealias TransportResponse = MoyaCore.TransportResponse
    public typealias TrustValidation = MoyaCore.TrustValidation
    public typealias URLEncoding = MoyaCore.URLEncoding
    public typealias URLQueryEncoder = MoyaCore.URLQueryEncoder
    public typealias URLRequestConvertible = MoyaCore.URLRequestConvertible
    public typealias UploadBody = MoyaCore.UploadBody
    public typealias ValidationType = MoyaCore.ValidationType
}

#if canImport(UIKit) || canImport(AppKit)
    extension Moya {
        public typealias Image = MoyaCore.Image
        public typealias ImageType = MoyaCore.ImageType
    }
#endif
