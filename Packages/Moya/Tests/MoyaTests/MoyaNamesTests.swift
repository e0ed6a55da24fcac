import Moya
import Testing

/// Names of each module that `import Moya` brings. The code of Moya's documents uses others.
@Suite struct MoyaNamesTests {
    @Test func `import Moya makes the names of Moya 15 available with the prefix Moya`() {
        let names: [(Any.Type, Any.Type)] = [
            (Moya.MoyaProvider<MultiTarget>.self, MoyaProvider<MultiTarget>.self),
            (Moya.Task.self, RequestTask.self),
            (Moya.Method.self, HTTPMethod.self),
            ((any Moya.PluginType).self, (any PluginType).self),
            (Moya.MultipartFormData.self, MultipartFormData.self),
            (Moya.NetworkLoggerPlugin.self, NetworkLoggerPlugin.self),
            (Moya.Session.self, Session.self),
        ]
        for (prefixed, plain) in names {
            #expect(ObjectIdentifier(prefixed) == ObjectIdentifier(plain))
        }
    }
}
