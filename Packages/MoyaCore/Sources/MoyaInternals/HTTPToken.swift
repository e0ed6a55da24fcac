/// Syntax of methods, field names and field values (RFC 9110, sections 5.5 and 5.6.2).
public enum HTTPToken {
    /// Returns whether `text` is a token: a valid method or field name.
    public static func isToken(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { !$0.isEmpty && $0.allSatisfy(isTokenCharacter) }
    }

    /// Returns whether `text` is a valid field value. HTAB is the only permitted control character.
    public static func isFieldValue(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { $0.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 } }
    }

    /// Returns whether a token may contain the byte.
    public static func isTokenCharacter(_ byte: UInt8) -> Bool {
        // A bit for each character of half of ASCII.
        switch byte {
        // !#$%&'*+-. and digits.
        case ..<64: (0x03FF_6CFA_0000_0000 as UInt64) >> byte & 1 == 1
        // Letters and ^_`|~.
        case ..<128: (0x57FF_FFFF_C7FF_FFFE as UInt64) >> (byte - 64) & 1 == 1
        default: false
        }
    }
}

extension String {
    /// The text without control characters: what a server says goes to logs and terminals.
    public var printable: String {
        var shown = ""
        shown.unicodeScalars = unicodeScalars.filter { $0.properties.generalCategory != .control }
        return shown
    }
}
