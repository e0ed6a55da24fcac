import Foundation
import MoyaInternals

/// Validates values from servers before they are sent back.
///
/// A server may send what no request can hold: control characters, half an entity tag, a list where one value belongs.
/// The request would fail unsent, or mean something else, and so would every later one where the value has been saved. Each
/// function returns the value as it is, or `nil` for one that has to be left out: the request is then sent without it.
///
/// A value that a layer has stored is checked when it is used: an older version may have stored it, or another program.
public enum ReceivedValue {
    /// The most bytes of a value. Servers refuse a request (431, RFC 6585, section 5) whose field has more than 8 KiB, or
    /// less.
    static let limit = 4096

    /// The value of a field (RFC 9110, section 5.5), such as an event's id.
    public static func field(_ text: String) -> String? {
        hasSendableForm(text) && HTTPToken.isFieldValue(text) ? text : nil
    }

    /// One entity tag (RFC 9110, section 8.8.3). `*` and a list of tags would match what the server has now, whatever
    /// that is.
    public static func entityTag(_ text: String) -> String? {
        text.utf8.count <= limit ? EntityTag(text)?.description : nil
    }

    /// A date in one of the three forms (RFC 9110, section 5.6.7), as the server wrote it: it may compare the text.
    public static func date(_ text: String) -> String? {
        hasSendableForm(text) && isPrintable(text) && HTTPDate.parse(text) != nil ? text : nil
    }

    /// The value of an `Authorization` field (RFC 9110, section 11.4; RFC 6749, appendix A.12). Of any length: without its
    /// token a request means something else.
    public static func authorization(scheme: String, token: String) -> String? {
        let text = "\(scheme) \(token)"
        return isPrintable(text) && !token.isEmpty ? text : nil
    }

    /// The URL that `reference` names (RFC 3986, section 5), for a request to go to.
    ///
    /// - Parameter base: The URL of the response.
    public static func url(_ reference: String, relativeTo base: URL) -> URL? {
        guard !reference.isEmpty else { return nil }
        return URL(string: reference, relativeTo: base).flatMap { url($0.absoluteURL) }
    }

    /// `url`, for a request to go to: with `http` or `https`, a host and a port that there is. Without the user name and
    /// password, which are for the client to choose.
    public static func url(_ url: URL) -> URL? {
        guard ["http", "https"].contains(url.scheme?.lowercased()), url.host?.isEmpty == false,
            url.port.map({ (1...0xFFFF).contains($0) }) ?? true
        else { return nil }
        return url.withoutUserInfo.resolvingDotSegments
    }

    /// Whether `text` has 1 to ``limit`` bytes and neither begins nor ends with white space, which would be lost.
    private static func hasSendableForm(_ text: String) -> Bool {
        guard let first = text.utf8.first, let last = text.utf8.last, text.utf8.count <= limit
        else { return false }
        let whiteSpace: [UInt8] = [0x20, 0x09]
        return !whiteSpace.contains(first) && !whiteSpace.contains(last)
    }

    /// Whether `text` is of ASCII without control characters.
    private static func isPrintable(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }
}
