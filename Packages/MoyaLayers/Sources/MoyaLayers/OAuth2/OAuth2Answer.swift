import Foundation
import MoyaCore
import MoyaInternals

/// What a token endpoint answers.
struct OAuth2Answer: Decodable {
    var access_token: String?
    var token_type: String?
    var expires_in: Lifetime?
    var refresh_token: String?
    var scope: String?
    var error: String?
    var error_description: String?

    /// A number, which some servers write as a string.
    struct Lifetime: Decodable {
        /// `nil` for what is no time to live: a token that is good for none would not have been sent.
        let seconds: TimeInterval?

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            let number =
                try (try? container.decode(TimeInterval.self))
                ?? Self.number(in: container.decode(String.self))
            seconds = number.flatMap { $0 > 0 ? min($0, 1e10) : nil }
        }

        /// Digits, and a fraction perhaps: not all that Swift takes for a number is one here.
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
            HTTPToken.isToken(type),
            ReceivedValue.authorization(scheme: type, token: value) != nil
        else {
            throw OAuth2Error(.invalidResponse, statusCode: status)
        }
        return AccessToken(
            value,
            // Servers write the type in any case. In the field, it is `Bearer` everywhere.
            scheme: type.lowercased() == "bearer" ? "Bearer" : type,
            expiration: answer.expires_in?.seconds.map { asked + $0 },
            refreshToken: answer.refresh_token,
            scope: answer.scope.map { $0.split(separator: " ").map(String.init) })
    }
}
