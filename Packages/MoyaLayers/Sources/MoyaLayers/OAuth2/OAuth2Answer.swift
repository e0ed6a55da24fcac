import Foundation
import MoyaCore
import MoyaInternals

/// The members of a response of an authorization server: a token (RFC 6749, section 5.1), a device
/// code (RFC 8628, section 3.2) or an error (RFC 6749, section 5.2). Servers send them with other
/// types, empty, or as `null`. Unreadable and empty members count as missing, so that they do not
/// spoil a valid token.
struct OAuth2Answer {
    var accessToken: String?
    var tokenType: String?
    var lifetime: TimeInterval?
    var refreshToken: String?
    var scope: [String]?
    var error: String?
    var errorDescription: String?
    var device = DeviceAnswer()

    /// Returns the token in a response.
    ///
    /// - Parameter asked: Time of the request, from which the lifetime counts.
    /// - Throws: ``OAuth2Error``.
    static func token(
        in data: Data, _ head: ResponseHead, asked: Date
    ) throws(OAuth2Error) -> AccessToken {
        let answer = try success(in: data, head, asked: asked)
        guard let token = answer.token(asked: asked) else {
            throw OAuth2Error(answer: data, head, at: asked)
        }
        return token
    }

    /// Returns the members of a response with a status of success.
    ///
    /// - Throws: ``OAuth2Error``.
    static func success(
        in data: Data, _ head: ResponseHead, asked: Date
    ) throws(OAuth2Error) -> OAuth2Answer {
        guard let answer = OAuth2Answer(data, mediaType: head.value(for: "Content-Type")) else {
            throw OAuth2Error(answer: data, head, at: asked)
        }
        if let error = answer.error {
            throw OAuth2Error(
                .init(rawValue: error), head, detail: answer.errorDescription, at: asked)
        }
        guard (200...299).contains(head.statusCode) else {
            throw OAuth2Error(answer: data, head, at: asked)
        }
        return answer
    }

    /// Returns the token, unless a header field cannot hold it.
    private func token(asked: Date) -> AccessToken? {
        let type = tokenType ?? "Bearer"
        guard let accessToken, HTTPToken.isToken(type),
            ReceivedValue.authorization(scheme: type, token: accessToken) != nil
        else { return nil }
        // Servers write the token type in any case. The header field uses `Bearer`. Slack names the
        // owner of a bearer token as its type.
        let isBearer = ["bearer", "bot", "user"].contains(type.lowercased())
        return AccessToken(
            accessToken, scheme: isBearer ? "Bearer" : type,
            expiration: lifetime.map { asked + $0 }, refreshToken: refreshToken, scope: scope)
    }
}

extension OAuth2Answer {
    /// Reads a JSON object, or a form where the media type says so: GitHub's default. `nil` for
    /// other bodies.
    fileprivate init?(_ data: Data, mediaType: String?) {
        if let answer = try? JSONDecoder().decode(OAuth2Answer.self, from: data) {
            self = answer
        } else if mediaType?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true {
            self.init(form: URLForm.decode(String(decoding: data, as: UTF8.self)))
        } else {
            return nil
        }
    }

    private init(form: [String: String]) {
        func text(_ key: CodingKeys) -> String? {
            form[key.rawValue].flatMap { $0.isEmpty ? nil : $0 }
        }
        accessToken = text(.accessToken)
        tokenType = text(.tokenType)
        lifetime = text(.lifetime).flatMap(Self.number).flatMap(Self.positive)
        refreshToken = text(.refreshToken)
        scope = text(.scope).map(Self.scope)
        error = text(.error)
        errorDescription = text(.errorDescription)
    }

    /// Parses digits with an optional fraction. Rejects other number formats that Swift accepts.
    private static func number(in text: String) -> TimeInterval? {
        let isPlain = text.utf8.allSatisfy {
            (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".")
        }
        return isPlain ? TimeInterval(text) : nil
    }

    /// Returns a time in seconds, or `nil` if it is not positive: a server does not issue a token
    /// without a lifetime.
    private static func positive(_ seconds: TimeInterval) -> TimeInterval? {
        seconds > 0 ? min(seconds, 1e10) : nil
    }

    /// Splits a scope at spaces (RFC 6749, section 3.3), or at commas if it has no spaces: GitHub,
    /// Facebook and Slack.
    private static func scope(_ text: String) -> [String] {
        text.split(separator: text.contains(" ") ? " " : ",").map(String.init)
    }
}

extension OAuth2Answer: Decodable {
    private enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case tokenType = "token_type"
        case lifetime = "expires_in"
        case refreshToken = "refresh_token"
        case scope
        case error
        case errorDescription = "error_description"
        case deviceCode = "device_code"
        case userCode = "user_code"
        case verificationURI = "verification_uri"
        case verificationURIComplete = "verification_uri_complete"
        /// Google's name of `verification_uri`.
        case verificationURL = "verification_url"
        case interval
    }

    /// Members of an `error` that is an object: Facebook, and Google's other APIs.
    private enum ErrorKeys: String, CodingKey {
        case type, status, code, message
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        accessToken = members.text(.accessToken)
        tokenType = members.text(.tokenType)
        func seconds(_ key: CodingKeys) -> TimeInterval? {
            let number = try? members.decode(TimeInterval.self, forKey: key)
            return (number ?? members.text(key).flatMap(Self.number)).flatMap(Self.positive)
        }
        lifetime = seconds(.lifetime)
        refreshToken = members.text(.refreshToken)
        let list = try? members.decode([String].self, forKey: .scope)
        scope = list?.filter { !$0.isEmpty } ?? members.text(.scope).map(Self.scope)
        error = members.text(.error)
        errorDescription = members.text(.errorDescription)
        device = DeviceAnswer(
            deviceCode: members.text(.deviceCode), userCode: members.text(.userCode),
            verificationURI: members.text(.verificationURI) ?? members.text(.verificationURL),
            verificationURIComplete: members.text(.verificationURIComplete),
            interval: seconds(.interval))
        if let object = try? members.nestedContainer(keyedBy: ErrorKeys.self, forKey: .error) {
            error = object.text(.type) ?? object.text(.status) ?? object.text(.code) ?? "error"
            errorDescription = object.text(.message) ?? errorDescription
        }
    }
}

extension KeyedDecodingContainer {
    /// Returns the text of a member, or `nil` if it is missing, empty, or no text.
    fileprivate func text(_ key: Key) -> String? {
        guard let text = try? decode(String.self, forKey: key), !text.isEmpty else { return nil }
        return text
    }
}
