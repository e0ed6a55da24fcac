/// Syntax of methods, field names and field values (RFC 9110, sections 5.5 and 5.6.2).
public enum HTTPToken {
    /// Returns whether `text` is a token: a valid method or field name.
    public static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(isTokenCharacter)
    }

    /// Returns whether `text` is a valid field value. HTAB is the only permitted control character.
    public static func isFieldValue(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }

    /// Returns whether a token may contain the byte.
    public static func isTokenCharacter(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "a"..."z", "A"..."Z", "0"..."9": true
        case "!", "#", "$", "%", "&", "'", "*", "+", "-", ".", "^", "_", "`", "|", "~": true
        default: false
        }
    }
}
