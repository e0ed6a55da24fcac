import Foundation
import MoyaCore
import MoyaInternals

/// Tells one state of a resource from another, byte by byte: what If-Range takes (RFC 9110, section 13.1.5).
struct Validator: Codable, Equatable, Sendable {
    /// An entity tag with its quotes, or a date. If-Range may hold either as it is.
    let value: String

    /// The strong validator of a response, if it has one.
    init?(_ head: ResponseHead) {
        if let tag = head.value(for: "ETag") {
            // Weak tags do not tell bytes apart, and with a tag there is no asking by date.
            guard let tag = Self.strong(tag), tag.hasPrefix("\"") else { return nil }
            value = tag
            return
        }
        // A date has whole seconds, so a resource may change in the second in which it was sent and keep its date, and
        // two clocks may differ. Where a minute lies between the dates, the older one is good for a validator.
        guard let text = head.value(for: "Last-Modified").flatMap(Self.strong),
            let modified = HTTPDate.parse(text),
            let sent = head.value(for: "Date").flatMap(HTTPDate.parse),
            sent.timeIntervalSince(modified) >= 60
        else { return nil }
        value = text
    }

    /// What another process has saved, if it is a validator.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let saved = try container.decode(String.self, forKey: .value)
        guard let value = Self.strong(saved) else {
            throw DecodingError.dataCorruptedError(
                forKey: .value, in: container, debugDescription: "This is no strong validator.")
        }
        self.value = value
    }

    /// `text`, if it is a strong entity tag or a date that a request may hold.
    private static func strong(_ text: String) -> String? {
        text.hasPrefix("\"") ? ReceivedValue.entityTag(text) : ReceivedValue.date(text)
    }

    /// Whether `head`, of a response to If-Range, does not speak against this state.
    func agrees(with head: ResponseHead) -> Bool {
        let isTag = value.hasPrefix("\"")
        guard let said = head.value(for: isTag ? "ETag" : "Last-Modified") else {
            // A part comes with the tag of what it is a part of (RFC 9110, section 15.3.7). A date may be left out.
            return !(isTag && head.statusCode == 206)
        }
        return said == value
    }
}
