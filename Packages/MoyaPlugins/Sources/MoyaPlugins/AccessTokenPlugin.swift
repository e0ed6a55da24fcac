import Foundation
import MoyaCore

/// Sends an access token with every target that is `AccessTokenAuthorizable`.
///
/// ```swift
/// let plugin = AccessTokenPlugin { _ in keychain.token }
/// // Authorization: Bearer <token>
/// ```
///
/// The token takes the place of an `Authorization` field the request already has. One with control
/// characters in it fails the request with a `RequestError`.
public struct AccessTokenPlugin: PluginType {
    /// The token for a target. The target inside, where that is a `MultiTarget`.
    public typealias TokenClosure = @Sendable (any TargetType) -> String

    /// The token for a target.
    public let tokenClosure: TokenClosure

    /// - Parameter tokenClosure: Called for each request of a target that wants a token. Must not block: return a
    ///   stored token. For tokens that have to be fetched, use `TokenRefresher` of MoyaLayers.
    @preconcurrency
    public init(tokenClosure: @escaping TokenClosure) {
        self.tokenClosure = tokenClosure
    }

    public func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
        guard let type = (target as? any AccessTokenAuthorizable)?.authorizationType else {
            return request
        }
        var request = request
        let inner = (target as? MultiTarget)?.target ?? target
        request.setValue(
            "\(type.value) \(tokenClosure(inner))", forHTTPHeaderField: "Authorization")
        return request
    }
}
