import Foundation
import MoyaInternals

/// Checks that no method, header field or trailer field could split a message (CR, LF, NUL). HTTP libraries do not check
/// all of them.
public enum RequestValidation {
    /// Checks the method and every header field of `request`.
    ///
    /// - Throws: ``RequestError``.
    public static func validate(_ request: URLRequest) throws {
        try validate(method: request.httpMethod ?? "GET")
        if let headers = request.allHTTPHeaderFields { try validate(headers: headers) }
    }

    /// Checks the trailer fields of a request (RFC 9110, section 6.5).
    ///
    /// - Throws: ``RequestError``.
    public static func validate(_ trailers: [HeaderField]) throws {
        for field in trailers { try validate(headers: [field.name: field.value]) }
    }

    /// Checks what an answer to a challenge is made of (RFC 7617, section 2).
    static func validate(_ credential: URLCredential) throws(RequestError) {
        for text in [credential.user, credential.password].compactMap({ $0 }) {
            guard !hasControlCharacter(text) else { throw .invalidCredential }
        }
    }

    /// Whether `text` has a control character, which could end a line or cut it off.
    public static func hasControlCharacter(_ text: String) -> Bool {
        text.utf8.contains { $0 < 0x20 || $0 == 0x7F }
    }

    static func validate(method: String) throws(RequestError) {
        guard HTTPToken.isToken(method) else { throw .invalidMethod(method) }
    }

    static func validate(headers: [String: String]) throws(RequestError) {
        for (name, value) in headers {
            guard HTTPToken.isToken(name) else { throw .invalidHeaderName(name) }
            guard HTTPToken.isFieldValue(value) else { throw .invalidHeaderValue(for: name) }
        }
    }
}
