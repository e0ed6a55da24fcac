import Foundation
import MoyaInternals

/// Rejects methods, header fields and trailer fields that could split a message (CR, LF, NUL). HTTP
/// libraries do not validate all of them.
public enum RequestValidation {
    /// Validates the method and header fields of `request`.
    ///
    /// - Throws: ``RequestError``.
    static func validate(_ request: URLRequest) throws {
        try validate(method: request.httpMethod ?? "GET")
        if let headers = request.allHTTPHeaderFields { try validate(headers: headers) }
    }

    /// Validates the trailer fields of a request (RFC 9110, section 6.5).
    ///
    /// - Throws: ``RequestError``.
    public static func validate(_ trailers: [HeaderField]) throws {
        for field in trailers { try validate(headers: [field.name: field.value]) }
    }

    /// Validates the user name and password of a response to a challenge (RFC 7617, section 2).
    static func validate(_ credential: URLCredential) throws(RequestError) {
        for text in [credential.user, credential.password].compactMap({ $0 }) {
            guard !hasControlCharacter(text) else { throw .invalidCredential }
        }
    }

    /// Returns whether `text` contains a control character, which could end or truncate a line.
    public static func hasControlCharacter(_ text: String) -> Bool {
        text.utf8.contains { $0 < 0x20 || $0 == 0x7F }
    }

    static func validate(method: String) throws(RequestError) {
        guard HTTPToken.isToken(method) else { throw .invalidMethod(method) }
    }

    static func validate(headers: [String: String]) throws(RequestError) {
        let invalid = headers.lazy.filter {
            !HTTPToken.isToken($0.key) || !HTTPToken.isFieldValue($0.value)
        }
        // The first by name, so that the error does not depend on the dictionary's order.
        guard let name = invalid.map({ $0.key }).min() else { return }
        throw HTTPToken.isToken(name) ? .invalidHeaderValue(for: name) : .invalidHeaderName(name)
    }
}
