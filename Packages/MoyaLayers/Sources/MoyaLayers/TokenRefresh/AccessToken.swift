import Foundation
import MoyaCore
import MoyaInternals

/// An access token and its properties (RFC 6749, section 5.1).
public struct AccessToken: Sendable, Hashable, Codable {
    /// The token.
    public var value: String
    /// Scheme of the `Authorization` field, such as `Bearer` (RFC 6750).
    public var scheme: String
    /// Time at which the token expires, or `nil` if unknown.
    public var expiration: Date?
    /// Refresh token, with which a new access token is requested, or `nil`.
    public var refreshToken: String?
    /// Scope of the token: the scope that the server sent, or the requested scope if the server
    /// sent no scope. `nil` if unknown.
    public var scope: [String]?

    /// - Parameters:
    ///   - value: The token as it is sent. A token with characters other than printable ASCII is
    ///     refreshed before a request is sent. If the new token has such characters too, requests
    ///     fail with ``TokenRefreshError/Reason/unusable``.
    ///   - expiration: Time at which the token expires. With `nil` it is used until a server
    ///     refuses it.
    ///   - refreshToken: `nil` if the server issued no refresh token.
    ///   - scope: `nil` if unknown.
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
    /// The value of the `Authorization` field, or `nil` if a header field cannot hold the token.
    /// Foundation would silently drop such a field, and the request would be sent without
    /// authorization.
    var authorization: String? { ReceivedValue.authorization(scheme: scheme, token: value) }
}

extension AccessToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The expiration, without the token.
    public var description: String {
        "AccessToken(***, expiration: \(expiration.map(HTTPDate.format) ?? "unknown"))"
    }

    /// The expiration, without the token.
    public var debugDescription: String { description }

    /// Children without secrets, for `dump` and debuggers.
    public var customMirror: Mirror {
        Mirror(self, children: ["scheme": scheme, "expiration": expiration as Any])
    }
}
