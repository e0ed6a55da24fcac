import Foundation
import MoyaCore

/// Sends an access token with requests of `AccessTokenAuthorizable` targets.
///
/// ```swift
/// let plugin = AccessTokenPlugin { _ in keychain.token }
/// // Authorization: Bearer <token>
/// ```
///
/// The token replaces an existing `Authorization` field. A token with control characters fails the
/// request with a `RequestError`.
public struct AccessTokenPlugin: PluginType {
    /// Returns the token for a target. For a `MultiTarget` the closure gets the inner target.
    public typealias TokenClosure = @Sendable (any TargetType) -> String

    /// Returns the token for a target.
    public let tokenClosure: TokenClosure

    /// - Parameter tokenClosure: Called for each request whose target has an authorization type.
    ///   Must not block: return a stored token. If tokens have to be fetched, use `TokenRefresher`
    ///   of MoyaLayers.
    @preconcurrency
    public init(tokenClosure: @escaping TokenClosure) {
        self.tokenClosure = tokenClosure
    }

    /// Adds the token to the requests of targets with an authorization type.
    public func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
        let context = RequestContext(target: target)
        guard let type = context.authorizationType, let target = context.target else {
            return request
        }
        var request = request
        request.setValue(
            "\(type.value) \(tokenClosure(target))", forHTTPHeaderField: "Authorization")
        return request
    }
}
