import Foundation
import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A target that needs an access token.
public protocol AccessTokenAuthorizable {
    /// How the token is sent. `nil` means that it is not.
    var authorizationType: AuthorizationType? { get }
}

/// The scheme of an `Authorization` field (RFC 9110, section 11.4).
public enum AuthorizationType: Sendable, Hashable {
    /// `Basic` (RFC 7617).
    case basic
    /// `Bearer` (RFC 6750).
    case bearer
    /// Another scheme, by its name.
    case custom(String)

    /// The scheme's name.
    public var value: String {
        switch self {
        case .basic: "Basic"
        case .bearer: "Bearer"
        case .custom(let name): name
        }
    }
}

extension MultiTarget: AccessTokenAuthorizable {
    /// That of the target inside. `nil` where it is no ``AccessTokenAuthorizable``.
    public var authorizationType: AuthorizationType? {
        (target as? any AccessTokenAuthorizable)?.authorizationType
    }
}

/// Sends an access token with every target that is ``AccessTokenAuthorizable``.
///
/// ```swift
/// let plugin = AccessTokenPlugin { _ in keychain.token }
/// // Authorization: Bearer <token>
/// ```
///
/// The token takes the place of an `Authorization` field the request already has. One with control
/// characters in it fails the request with a ``RequestError``.
public struct AccessTokenPlugin: PluginType {
    /// The token for a target. The target inside, where that is a ``MultiTarget``.
    public typealias TokenClosure = @Sendable (any TargetType) -> String

    /// The token for a target.
    public let tokenClosure: TokenClosure

    /// - Parameter tokenClosure: Called for each request of a target that wants a token. Must not block: keep the
    ///   token at hand, or have a ``TokenRefresher`` for one that has to be fetched.
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
