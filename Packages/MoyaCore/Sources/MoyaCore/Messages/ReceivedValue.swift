import Foundation
import MoyaInternals

/// Validates values from servers before they are sent back.
///
/// A server may send values that are invalid in a request: control characters, an incomplete entity
/// tag, a list instead of a single value. The request would fail or change its meaning, and so
/// would every later request with a stored value. Each function returns the value unchanged, or
/// `nil` if the request has to be sent without it.
///
/// Layers validate stored values when they use them: an older version or another program may have
/// stored them.
public enum ReceivedValue {
    /// Maximum size of a value, in bytes. Many servers reject requests (431, RFC 6585, section 5)
    /// with a field of more than 8 KiB.
    static let limit = 4096

    /// Returns `text` if it is a valid field value (RFC 9110, section 5.5), such as an event's ID.
    public static func field(_ text: String) -> String? {
        hasSendableForm(text) && HTTPToken.isFieldValue(text) ? text : nil
    }

    /// Returns `text` if it is a single entity tag (RFC 9110, section 8.8.3). `*` and a list of
    /// tags are rejected, because they could match any current version.
    public static func entityTag(_ text: String) -> String? {
        text.utf8.count <= limit ? EntityTag(text)?.description : nil
    }

    /// Returns `text` if it is a date in one of the three formats of RFC 9110, section 5.6.7. The
    /// text is unchanged, because the server may compare it as text.
    public static func date(_ text: String) -> String? {
        hasSendableForm(text) && isPrintable(text) && HTTPDate.parse(text) != nil ? text : nil
    }

    /// Returns the value of an `Authorization` field (RFC 9110, section 11.4; RFC 6749, appendix
    /// A.12). The length is unlimited, because without its token the request would have another
    /// meaning.
    public static func authorization(scheme: String, token: String) -> String? {
        let text = "\(scheme) \(token)"
        return isPrintable(text) && !token.isEmpty ? text : nil
    }

    /// Resolves `reference` (RFC 3986, section 5) to a URL for a request.
    ///
    /// Escapes are kept, and characters that are invalid in a URL are percent-encoded.
    ///
    /// - Parameter base: The URL of the response.
    public static func url(_ reference: String, relativeTo base: URL) -> URL? {
        guard !reference.isEmpty else { return nil }
        return URLReference.resolve(reference, relativeTo: base).flatMap { url($0) }
    }

    /// Returns `url` without user name and password if it is suitable for a request: `http` or
    /// `https`, with a host and a valid port. The client chooses credentials, not the server.
    public static func url(_ url: URL) -> URL? {
        guard ["http", "https"].contains(url.scheme?.lowercased()), url.host?.isEmpty == false,
            url.port.map({ (1...0xFFFF).contains($0) }) ?? true
        else { return nil }
        return url.withoutUserInfo.resolvingDotSegments
    }

    /// Returns whether `text` has 1 to ``limit`` bytes and no leading or trailing white space,
    /// which would be lost.
    private static func hasSendableForm(_ text: String) -> Bool {
        guard let first = text.utf8.first, let last = text.utf8.last, text.utf8.count <= limit
        else { return false }
        let whiteSpace: [UInt8] = [0x20, 0x09]
        return !whiteSpace.contains(first) && !whiteSpace.contains(last)
    }

    /// Returns whether `text` consists of ASCII without control characters.
    private static func isPrintable(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }
}
