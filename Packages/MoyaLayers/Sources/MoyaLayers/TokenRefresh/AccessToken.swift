import Foundation
import MoyaCore
import MoyaInternals

/// A token that lets requests in, and what is known about it (RFC 6749, section 5.1).
public struct AccessToken: Sendable, Hashable, Codable {
    /// The token itself.
    public var value: String
    /// The scheme of the `Authorization` field it is sent with: `Bearer` (RFC 6750).
    public var scheme: String
    /// When the token expires. `nil` where that is not known.
    public var expiration: Date?
    /// What gets another token when this one is no longer good.
    public var refreshToken: String?
    /// What the token is good for, where the server said so, or what was asked for where it answered and said nothing.
    public var scope: [String]?

    /// - Parameters:
    ///   - value: As it is sent. One that is not of printable ASCII is refreshed before anything is sent, and where that
    ///     brings another such one, requests fail with ``TokenRefreshError/Reason/unusable``.
    ///   - expiration: `nil` keeps it until a server refuses it.
    ///   - refreshToken: `nil` where there is none.
    ///   - scope: `nil` where the server has not said.
    public init(
        _ value: String, scheme: String = "Bearer", expiration: Date? = nil,
        refreshToken: String? = nil, scope: [String]? = nil
    ) {
        self.value = value
        self.scheme = scheme
        self.expiration = expiration
        self.refreshToken = refreshToken
        self.scope = scope
    }

    @available(*, unavailable, renamed: "init(_:scheme:expiration:refreshToken:scope:)")
    public init(
        value: String, scheme: String = "Bearer", expiration: Date? = nil,
        refreshToken: String? = nil, scope: [String]? = nil
    ) {
        self.init(
            value, scheme: scheme, expiration: expiration, refreshToken: refreshToken, scope: scope)
    }
}

extension AccessToken {
    /// The value of the field `Authorization`. `nil` for a token that no field can hold: Foundation would drop the field
    /// without a word, and the request would mean another thing.
    var authorization: String? { ReceivedValue.authorization(scheme: scheme, token: value) }
}

extension AccessToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Without the secrets.
    public var description: String {
        "AccessToken(***, expiration: \(expiration.map(HTTPDate.format) ?? "unknown"))"
    }

    public var debugDescription: String { description }

    /// Shows no secret to `dump` and debuggers.
    public var customMirror: Mirror {
        Mirror(self, children: ["scheme": scheme, "expiration": expiration as Any])
    }
}
