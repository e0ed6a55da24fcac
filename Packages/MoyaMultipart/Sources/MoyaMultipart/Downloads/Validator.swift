import Foundation
import MoyaCore
import MoyaInternals

/// Strong validator for If-Range (RFC 9110, section 13.1.5): distinguishes versions of a file byte
/// by byte.
struct Validator: Codable, Equatable, Sendable {
    /// Entity tag with its quotation marks, or a date, both in the form that If-Range takes.
    let value: String

    /// Returns the strong validator of a response, or `nil` if it has none.
    init?(_ head: ResponseHead) {
        if let tag = head.value(for: "ETag") {
            // Weak tags do not identify bytes. RFC 9110, section 13.1.5 allows a date only if there
            // is no entity tag.
            guard let tag = Self.strong(tag), tag.hasPrefix("\"") else { return nil }
            value = tag
            return
        }
        // Dates have a resolution of one second: a file may change again within the second of its
        // Last-Modified, and server clocks may differ. A minute between Last-Modified and Date
        // makes both cases unlikely to matter (RFC 9110, section 8.8.2.2).
        guard let text = head.value(for: "Last-Modified").flatMap(Self.strong),
            let modified = HTTPDate.parse(text),
            let sent = head.value(for: "Date").flatMap(HTTPDate.parse),
            sent.timeIntervalSince(modified) >= 60
        else { return nil }
        value = text
    }

    /// Decodes a saved validator, and rejects text that is not valid in a request.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let saved = try container.decode(String.self, forKey: .value)
        guard let value = Self.strong(saved) else {
            throw DecodingError.dataCorruptedError(
                forKey: .value, in: container, debugDescription: "This is no strong validator.")
        }
        self.value = value
    }

    /// Returns `text` if it is a strong entity tag or a date, and valid in a request.
    private static func strong(_ text: String) -> String? {
        text.hasPrefix("\"") ? ReceivedValue.entityTag(text) : ReceivedValue.date(text)
    }

    /// Whether the response to If-Range has the same validator, or a date that is missing.
    func agrees(with head: ResponseHead) -> Bool {
        let isTag = value.hasPrefix("\"")
        guard let said = head.value(for: isTag ? "ETag" : "Last-Modified") else {
            // A 206 response must have the ETag of the file (RFC 9110, section 15.3.7). A date may
            // be missing.
            return !(isTag && head.statusCode == 206)
        }
        return said == value
    }
}
