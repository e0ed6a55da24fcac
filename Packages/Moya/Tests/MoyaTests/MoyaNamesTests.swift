import Moya
import Testing

/// A sample of the prefixed names. `scripts/moya-names --check` compares all names with the
/// sources.
@Suite struct MoyaNamesTests {
    @Test func `import Moya makes the types of its modules available with the prefix Moya`() {
        var names: [(Any.Type, Any.Type)] = [
            (Moya.MoyaProvider<MultiTarget>.self, MoyaProvider<MultiTarget>.self),
            (Moya.Task.self, RequestTask.self),
            (Moya.Method.self, HTTPMethod.self),
            ((any Moya.PluginType).self, (any PluginType).self),
            (Moya.MultipartFormData.self, MultipartFormData.self),
            (Moya.ServerSentEvent.self, ServerSentEvent.self),
            (Moya.NetworkLoggerPlugin.self, NetworkLoggerPlugin.self),
            (Moya.RetryPolicy.self, RetryPolicy.self),
            (Moya.FoundationTransport.self, FoundationTransport.self),
        ]
        #if os(Linux)
            names.append((Moya.CurlTransport.self, CurlTransport.self))
        #endif
        for (prefixed, plain) in names {
            #expect(ObjectIdentifier(prefixed) == ObjectIdentifier(plain))
        }
    }
}
