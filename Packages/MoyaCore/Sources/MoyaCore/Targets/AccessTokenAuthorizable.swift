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
