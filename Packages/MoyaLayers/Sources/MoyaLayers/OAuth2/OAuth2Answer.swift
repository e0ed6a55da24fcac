import Foundation
import MoyaCore
import MoyaInternals

/// The JSON response of a token endpoint (RFC 6749, sections 5.1 and 5.2).
struct OAuth2Answer: Decodable {
    var access_token: String?
    var token_type: String?
    var expires_in: Lifetime?
    var refresh_token: String?
    var scope: String?
    var error: String?
    var error_description: String?

    /// A number of seconds, which some servers send as a string.
    struct Lifetime: Decodable {
        /// The lifetime in seconds, or `nil` if it is not positive: a server does not issue a token
        /// without a lifetime.
        let seconds: TimeInterval?

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            let number =
                try (try? container.decode(TimeInterval.self))
                ?? Self.number(in: container.decode(String.self))
            seconds = number.flatMap { $0 > 0 ? min($0, 1e10) : nil }
        }

        /// Parses digits with an optional fraction. Rejects other number formats that Swift
        /// accepts.
        private static func number(in text: String) -> TimeInterval? {
            let isPlain = text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".")
            }
            return isPlain ? TimeInterval(text) : nil
        }
    }

    static func token(in data: Data, status: Int, asked: Date) throws -> AccessToken {
        guard let answer = try? JSONDecoder().decode(OAuth2Answer.self, from: data) else {
            throw OAuth2Error(.invalidResponse, statusCode: status)
        }
        if let error = answer.error {
            throw OAuth2Error(
                .init(rawValue: error), statusCode: status, detail: answer.error_description)
        }
        let type = answer.token_type ?? "Bearer"
        guard (200...299).contains(status), let value = answer.access_token,
            HTTPToken.isToken(type), ReceivedValue.authorization(scheme: type, token: value) != nil
        else { throw OAuth2Error(.invalidResponse, statusCode: status) }
        return AccessToken(
            value,
            // Servers write the token type in any case. The header field uses `Bearer`.
            scheme: type.lowercased() == "bearer" ? "Bearer" : type,
            expiration: answer.expires_in?.seconds.map { asked + $0 },
            refreshToken: answer.refresh_token,
            scope: answer.scope.map { $0.split(separator: " ").map(String.init) })
    }
}
