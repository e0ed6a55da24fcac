import Foundation
import MoyaCore
import Testing

@Suite struct MoyaNamesTests {
    @Test func `types of MoyaCore are available with the prefix Moya`() {
        let names: [(Any.Type, Any.Type)] = [
            ((any Moya.Cancellable).self, (any MoyaCore.Cancellable).self),
            (Moya.CancellableToken.self, MoyaCore.CancellableToken.self),
            (Moya.Completion.self, MoyaCore.Completion.self),
            (Moya.Endpoint.self, MoyaCore.Endpoint.self),
            (Moya.EndpointSampleResponse.self, MoyaCore.EndpointSampleResponse.self),
            (Moya.HTTPMethod.self, MoyaCore.HTTPMethod.self),
            (Moya.HeaderField.self, MoyaCore.HeaderField.self),
            (Moya.JSONEncoding.self, MoyaCore.JSONEncoding.self),
            (Moya.MemoryDelivery.self, MoyaCore.MemoryDelivery.self),
            (Moya.MoyaError.self, MoyaCore.MoyaError.self),
            (Moya.MoyaProvider<GitHub>.self, MoyaCore.MoyaProvider<GitHub>.self),
            ((any Moya.MoyaProviderType).self, (any MoyaCore.MoyaProviderType).self),
            (Moya.MultiTarget.self, MoyaCore.MultiTarget.self),
            ((any Moya.ParameterEncoding).self, (any MoyaCore.ParameterEncoding).self),
            (Moya.ParameterEncodingError.self, MoyaCore.ParameterEncodingError.self),
            (Moya.Parameters.self, MoyaCore.Parameters.self),
            ((any Moya.PluginType).self, (any MoyaCore.PluginType).self),
            (Moya.ProgressBlock.self, MoyaCore.ProgressBlock.self),
            (Moya.ProgressResponse.self, MoyaCore.ProgressResponse.self),
            (Moya.PropertyListEncoding.self, MoyaCore.PropertyListEncoding.self),
            (Moya.Redaction.self, MoyaCore.Redaction.self),
            (Moya.RedirectPolicy.self, MoyaCore.RedirectPolicy.self),
            (Moya.RequestBody.self, MoyaCore.RequestBody.self),
            (Moya.RequestError.self, MoyaCore.RequestError.self),
            (Moya.RequestTask.self, MoyaCore.RequestTask.self),
            ((any Moya.RequestType).self, (any MoyaCore.RequestType).self),
            (Moya.Response.self, MoyaCore.Response.self),
            (Moya.ResponseBody.self, MoyaCore.ResponseBody.self),
            ((any Moya.ResponseDelivery).self, (any MoyaCore.ResponseDelivery).self),
            (Moya.ResponseDestination.self, MoyaCore.ResponseDestination.self),
            (Moya.ResponseHead.self, MoyaCore.ResponseHead.self),
            (Moya.StubBehavior.self, MoyaCore.StubBehavior.self),
            ((any Moya.TargetType).self, (any MoyaCore.TargetType).self),
            (Moya.TransferProgress.self, MoyaCore.TransferProgress.self),
            ((any Moya.Transport).self, (any MoyaCore.Transport).self),
            (Moya.TransportMetrics.self, MoyaCore.TransportMetrics.self),
            (Moya.TransportRequest.self, MoyaCore.TransportRequest.self),
            (Moya.TransportResponse.self, MoyaCore.TransportResponse.self),
            (Moya.URLEncoding.self, MoyaCore.URLEncoding.self),
            (Moya.URLQueryEncoder.self, MoyaCore.URLQueryEncoder.self),
            ((any Moya.URLRequestConvertible).self, (any MoyaCore.URLRequestConvertible).self),
            ((any Moya.UploadBody).self, (any MoyaCore.UploadBody).self),
            (Moya.ValidationType.self, MoyaCore.ValidationType.self),
        ]
        for (prefixed, plain) in names {
            #expect(ObjectIdentifier(prefixed) == ObjectIdentifier(plain))
        }
    }
}
