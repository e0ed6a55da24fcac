import Foundation
import MoyaCore
import MoyaInternals

/// No token was issued: the authorization server returned an error (RFC 6749, section 5.2), or the
/// client rejected the request or the response.
public struct OAuth2Error: Error, Sendable, Equatable, LocalizedError {
    /// Error code: the server's (RFC 6749, section 5.2), or one of the client's.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The value of the `error` member: `invalid_scope`, for example.
        public let rawValue: String

        /// Creates a code from the value of an `error` member.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The refresh token or the code is invalid or expired. The user has to sign in again.
        public static let invalidGrant = Code(rawValue: "invalid_grant")
        /// The user refused the sign-in on another device (RFC 8628, section 3.5).
        public static let accessDenied = Code(rawValue: "access_denied")
        /// The device code has expired before the user signed in (RFC 8628, section 3.5). The
        /// client uses it, too.
        public static let expiredToken = Code(rawValue: "expired_token")
        /// The user has not signed in yet (RFC 8628, section 3.5).
        static let authorizationPending = Code(rawValue: "authorization_pending")
        /// Like ``authorizationPending``, and the client has to ask less often.
        static let slowDown = Code(rawValue: "slow_down")
        /// Client error: the response is neither what was asked for nor an error.
        public static let invalidResponse = Code(rawValue: "invalid_response")
        /// Client error: the endpoint does not use https, so no secret was sent to it.
        public static let insecureEndpoint = Code(rawValue: "insecure_endpoint")
        /// Client error: the token to refresh has no refresh token.
        public static let noRefreshToken = Code(rawValue: "no_refresh_token")
    }

    /// The error code.
    public let code: Code
    /// Status of the response, or `nil` if no response arrived.
    public let statusCode: Int?
    /// What the server said: its `error_description`, or the beginning of a response that is
    /// neither a token nor an error. With secrets masked, without control characters, and cut off
    /// after 200 characters.
    public let detail: String?
    /// The server's `Retry-After`, in seconds.
    let retryAfter: TimeInterval?

    /// An error of the client, without a response.
    init(_ code: Code) {
        self.code = code
        statusCode = nil
        detail = nil
        retryAfter = nil
    }

    /// An error that the server names.
    init(_ code: Code, _ head: ResponseHead, detail: String?, at now: Date) {
        // Control characters are removed, because a server's text goes to logs and terminals.
        self.code = Code(rawValue: code.rawValue.printable)
        statusCode = head.statusCode
        // Cut off before the secrets are searched, because the text may be long.
        let text = detail.map {
            Redaction.default.redact(text: String($0.unicodeScalars.prefix(1000)))
        }
        self.detail = text.map { String($0.printable.unicodeScalars.prefix(200)) }
        retryAfter = head.retryAfter(at: now)
    }

    /// A response that is neither a token nor an error.
    init(answer body: Data, _ head: ResponseHead, at now: Date) {
        code = .invalidResponse
        statusCode = head.statusCode
        let beginning = Redaction.default.redact(body: Data(body.prefix(1000)))
        let words = String(decoding: beginning, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        let text = words.joined(separator: " ").printable
        detail = text.isEmpty ? nil : String(text.unicodeScalars.prefix(200))
        retryAfter = head.retryAfter(at: now)
    }

    /// Describes the error.
    public var errorDescription: String? {
        switch code {
        case .invalidGrant:
            "The refresh token or authorization code is invalid or expired (invalid_grant). Let "
                + "the user sign in again." + (detail.map { " The server said: \($0)" } ?? "")
        case .accessDenied:
            "The user refused the sign-in (access_denied)."
                + (detail.map { " The server said: \($0)" } ?? "")
        case .expiredToken:
            "The device code expired before the user signed in (expired_token). Request another."
        case .insecureEndpoint:
            "The endpoint's URL must use https, because requests contain credentials."
        case .noRefreshToken:
            "There is no refresh token: the user has not signed in, or the server has issued none. "
                + "Let the user sign in."
        case .invalidResponse:
            "The response of the authorization server has the status \(statusCode ?? 0), and "
                + "contains neither a token nor an error of RFC 6749."
                + (isOverloaded ? "" : " Check the endpoint's URL.")
                + (detail.map { " The response begins with: \($0)" } ?? "")
        default:
            "The authorization server refused the request with the status \(statusCode ?? 0): "
                + "\(String(code.rawValue.unicodeScalars.prefix(80)))."
                + (detail.map { " \($0)" } ?? "")
        }
    }
}

extension OAuth2Error: TokenEndpointError {}
