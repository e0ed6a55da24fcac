/// A target whose requests carry an access token.
public protocol AccessTokenAuthorizable {
    /// The scheme under which the token is sent. `nil` sends no token.
    var authorizationType: AuthorizationType? { get }
}

/// The scheme of an `Authorization` field (RFC 9110, section 11.4).
public enum AuthorizationType: Sendable, Hashable {
    /// `Basic` (RFC 7617).
    case basic
    /// `Bearer` (RFC 6750).
    case bearer
    /// Another scheme, by name.
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
    /// The wrapped target's scheme. `nil` if that target is not ``AccessTokenAuthorizable``.
    public var authorizationType: AuthorizationType? {
        (target as? any AccessTokenAuthorizable)?.authorizationType
    }
}
