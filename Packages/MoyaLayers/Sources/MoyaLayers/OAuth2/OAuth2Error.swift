import Foundation

/// An authorization server gave no token (RFC 6749, section 5.2).
public struct OAuth2Error: Error, Sendable, Equatable, LocalizedError {
    /// What is wrong, in the server's word (RFC 6749, section 5.2).
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A parameter is missing, is there twice, or has a value that the server does not know.
        public static let invalidRequest = Code(rawValue: "invalid_request")
        /// The client is unknown, or its secret is wrong.
        public static let invalidClient = Code(rawValue: "invalid_client")
        /// The refresh token or the code is no longer good: the user has to sign in again.
        public static let invalidGrant = Code(rawValue: "invalid_grant")
        /// The client may not get a token in this way.
        public static let unauthorizedClient = Code(rawValue: "unauthorized_client")
        /// The server gives no tokens in this way.
        public static let unsupportedGrantType = Code(rawValue: "unsupported_grant_type")
        /// The scope is unknown, or more than the user has granted.
        public static let invalidScope = Code(rawValue: "invalid_scope")
        /// Not the server's word: its answer is neither a token nor an error.
        public static let invalidResponse = Code(rawValue: "invalid_response")
        /// Not the server's word: the token endpoint is not on https, and would be told secrets.
        public static let insecureEndpoint = Code(rawValue: "insecure_endpoint")
        /// Not the server's word: the token to refresh has no refresh token.
        public static let noRefreshToken = Code(rawValue: "no_refresh_token")
    }

    /// What is wrong.
    public let code: Code
    /// The status of the answer, where there was one.
    public let statusCode: Int?
    /// The server's words for a developer.
    public let detail: String?

    init(_ code: Code, statusCode: Int? = nil, detail: String? = nil) {
        // A server's text goes into logs and terminals.
        self.code = Code(rawValue: Self.printable(code.rawValue))
        self.statusCode = statusCode
        self.detail = detail.map { String(Self.printable($0).unicodeScalars.prefix(200)) }
    }

    private static func printable(_ text: String) -> String {
        var shown = ""
        shown.unicodeScalars = text.unicodeScalars.filter {
            $0.properties.generalCategory != .control
        }
        return shown
    }

    public var errorDescription: String? {
        switch code {
        case .invalidGrant:
            "The sign-in is no longer good (invalid_grant). Let the user sign in again."
        case .insecureEndpoint: "The token endpoint is not on https: it would be told secrets."
        case .noRefreshToken: "There is no refresh token. Let the user sign in again."
        case .invalidResponse:
            "The token endpoint answered with status \(statusCode ?? 0) and neither a token nor an "
                + "error of RFC 6749. Check its address."
        default:
            "The authorization server refused: \(code.rawValue.prefix(80))."
                + (detail.map { " \($0)" } ?? "")
        }
    }
}
