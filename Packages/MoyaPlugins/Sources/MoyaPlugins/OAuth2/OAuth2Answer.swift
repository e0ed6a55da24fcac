import Foundation
@_spi(MoyaInternals) import MoyaCore

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
        let seconds: TimeInterval

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(TimeInterval.self) {
                seconds = number
            } else {
                seconds = DeltaSeconds.parse(try container.decode(String.self)) ?? 0
            }
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
        guard (200...299).contains(status), let value = answer.access_token, !value.isEmpty else {
            throw OAuth2Error(.invalidResponse, statusCode: status)
        }
        let type = answer.token_type ?? "Bearer"
        return AccessToken(
            value,
            // Servers write the type in any case. In the field, it is `Bearer` everywhere.
            scheme: type.lowercased() == "bearer" ? "Bearer" : type,
            expiration: answer.expires_in.map { asked + max(0, min($0.seconds, 1e10)) },
            refreshToken: answer.refresh_token,
            scope: answer.scope.map { $0.split(separator: " ").map(String.init) })
    }
}
