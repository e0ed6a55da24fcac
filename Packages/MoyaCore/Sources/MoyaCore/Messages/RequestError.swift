import Foundation
import MoyaInternals

/// The reason why a request is invalid.
public struct RequestError: Error, Sendable, Equatable, LocalizedError, CustomStringConvertible {
    /// The problem and its solution. Contains no header field values.
    public let description: String

    public var errorDescription: String? { description }

    static func invalidMethod(_ method: String) -> RequestError {
        RequestError(
            description: "\(quoted(method)) is not an HTTP method: \(flaw(of: method)). "
                + tokenAdvice)
    }

    static func invalidHeaderName(_ name: String) -> RequestError {
        RequestError(
            description: "\(quoted(name)) is not a header field name: \(flaw(of: name)). "
                + tokenAdvice)
    }

    static func invalidHeaderValue(for name: String) -> RequestError {
        RequestError(
            description: "The value of the header field \(quoted(name)) contains a control "
                + "character, such as a line break. Remove it (RFC 9110, section 5.5).")
    }

    static let invalidCredential = RequestError(
        description: "The user name or the password of the credential, or of the URL, contains a "
            + "control character, such as a line break. Remove it (RFC 7617, section 2).")

    static let bodyEncoding = RequestError(
        description:
            "The bodyEncoding of requestCompositeParameters must place its parameters in the "
            + "body: pass URLEncoding.httpBody or JSONEncoding, and put the rest in urlParameters.")

    static let bodyStream = RequestError(
        description: "The request has an httpBodyStream. Set httpBody, or use a file upload task.")

    private static let tokenAdvice =
        "Use one or more ASCII letters, digits and characters of !#$%&'*+-.^_`|~ (RFC 9110, "
        + "section 5.6.2)."

    /// Describes why `text` is not a token.
    private static func flaw(of text: String) -> String {
        let invalid = text.unicodeScalars.first { !HTTPToken.isToken(String($0)) }
        return invalid.map { "it contains \(quoted(String($0)))" } ?? "it is empty"
    }

    /// Quotes `text` for a message, with control characters escaped, so that they cannot reach a
    /// terminal.
    private static func quoted(_ text: String) -> String {
        "\"" + text.prefix(80).unicodeScalars.map { $0.escaped(asASCII: false) }.joined() + "\""
    }
}
