import Foundation
import MoyaCore
import MoyaPlugins
import Testing

@Suite struct MoyaNamesTests {
    @Test func `types of MoyaPlugins are available with the prefix Moya`() {
        let names: [(Any.Type, Any.Type)] = [
            (
                (any Moya.AccessTokenAuthorizable).self,
                (any MoyaPlugins.AccessTokenAuthorizable).self
            ),
            (Moya.AccessTokenPlugin.self, MoyaPlugins.AccessTokenPlugin.self),
            (Moya.AuthorizationType.self, MoyaPlugins.AuthorizationType.self),
            (Moya.CredentialsPlugin.self, MoyaPlugins.CredentialsPlugin.self),
            (Moya.NetworkActivityChangeType.self, MoyaPlugins.NetworkActivityChangeType.self),
            (Moya.NetworkActivityPlugin.self, MoyaPlugins.NetworkActivityPlugin.self),
            (Moya.NetworkLoggerPlugin.self, MoyaPlugins.NetworkLoggerPlugin.self),
        ]
        for (prefixed, plain) in names {
            #expect(ObjectIdentifier(prefixed) == ObjectIdentifier(plain))
        }
    }
}
