import Foundation
import MoyaInternals

/// The texts of causes and responses in messages and logs, with secrets masked.
enum ErrorText {
    /// Returns the text of a cause: its localized description, the place of a coding error, the
    /// case of an enum, or its own description.
    static func text(of error: any Error) -> String {
        switch error {
        case let error as MoyaError: error.localizedDescription
        case let error as DecodingError: DecodingPlace.describe(error)
        case let error as EncodingError: EncodingPlace.describe(error)
        default:
            caseName(of: error)
                ?? Redaction.default.redact(text: localizedText(of: error) ?? "\(error)")
        }
    }

    /// Returns the text of a cause with a full stop.
    static func sentence(_ error: any Error) -> String { sentence(text(of: error)) }

    private static func sentence(_ text: String) -> String {
        // Foundation's texts of some errors end with ".)".
        [".", ".)", "!", "?"].contains { text.hasSuffix($0) } ? text : text + "."
    }

    /// Returns the text of a cause, after the domain and code of an error of Foundation's kind.
    static func details(of error: any Error) -> String {
        if let error = error as? MoyaError { return error.description }
        let text = text(of: error)
        guard localizedText(of: error) != nil, !(error is DecodingError), !(error is EncodingError)
        else { return text }
        let bridged = error as NSError
        return "\(bridged.domain) \(bridged.code): \(text)"
    }

    /// Returns the text of a cause in a sentence, and where it happened: the response, or the URL
    /// of a `URLError` whose text does not have it.
    static func message(of error: any Error, _ response: Response?) -> String {
        let text = text(of: error)
        // The text of a `MoyaError` names its response.
        if error is MoyaError { return text }
        if let response { return "\(sentence(text)) \(note(response))" }
        guard let url = failingURL(of: error), !text.contains(url) else { return text }
        return "\(sentence(text)) URL: \(url)."
    }

    /// Returns a sentence that names the response.
    static func note(_ response: Response) -> String { "Response: \(response.summary)." }

    /// Returns the URL of a `URLError`.
    static func failingURL(of error: any Error) -> String? {
        let named = (error as? URLError)?.userInfo[NSURLErrorFailingURLErrorKey] as? URL
        return named.map(Redaction.default.redact(url:))
    }

    /// Returns the text that a program shows to its users. `nil` for an error without one, for
    /// which Foundation would show that "the operation could not be completed".
    private static func localizedText(of error: any Error) -> String? {
        if let error = error as? URLError { return error.meaning ?? error.localizedDescription }
        if let text = (error as? any LocalizedError)?.errorDescription { return text }
        let isFoundations = error is any CustomNSError || type(of: error) is NSError.Type
        return isFoundations ? error.localizedDescription : nil
    }

    /// Returns the case name of an enum error without a description. Payloads are reduced to case
    /// or type names, because values without a name may be secret.
    private static func caseName(of error: any Error) -> String? {
        // As `Any`, because every error can be converted to an `NSError`, which has a description.
        let value: Any = error
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .enum, localizedText(of: error) == nil,
            !(value is any CustomStringConvertible)
        else { return nil }
        return caseName(mirror, of: value)
    }

    private static func caseName(_ mirror: Mirror, of value: Any) -> String {
        guard mirror.displayStyle == .enum else { return "\(type(of: value))" }
        let type = String(reflecting: type(of: value))
        guard let (label, payload) = mirror.children.first, let label else {
            return "\(type).\(value)"
        }
        let inner = Mirror(reflecting: payload)
        let parts = inner.displayStyle == .tuple ? Array(inner.children) : [(nil, payload)]
        let shown = parts.map { name, part in
            // Mirrors label unlabelled tuple elements ".0", ".1" and so on.
            (name.map { $0.hasPrefix(".") ? "" : "\($0): " } ?? "")
                + caseName(Mirror(reflecting: part), of: part)
        }
        return "\(type).\(label)(\(shown.joined(separator: ", ")))"
    }
}

extension Response {
    /// Status, reason phrase, method and URL, with secrets masked: `404 Not Found for GET
    /// https://api.example.com/users`. Another URL, such as that of a redirect, follows.
    var summary: String {
        let reason = ReasonPhrase.standard(for: statusCode).map { " \($0)" } ?? ""
        let (asked, answered) = (Self.shown(request?.url), Self.shown(head?.url))
        guard let url = asked ?? answered else { return "\(statusCode)\(reason)" }
        let method = request.map { "\($0.httpMethod ?? "GET") " } ?? ""
        let other = answered.flatMap { $0 == url ? nil : ", response from \($0)" } ?? ""
        return "\(statusCode)\(reason) for \(method)\(url)\(other)"
    }

    /// The URL without its fragment, which is not sent.
    private static func shown(_ url: URL?) -> String? {
        url.map { url in
            Redaction.default.redact(url: String(url.absoluteString.prefix { $0 != "#" }))
        }
    }
}
