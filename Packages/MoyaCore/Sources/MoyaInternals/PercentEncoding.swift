import Foundation

/// Percent-encoding of paths (RFC 3986, section 3.3).
public enum PercentEncoding {
    /// Percent-encodes characters that are not valid in a path and keeps existing escapes.
    public static func path(_ text: String) -> String {
        guard !text.utf8.allSatisfy(isPathCharacter) else { return text }
        var bytes = Array(text.utf8)
        bytes = encode(bytes) { index, byte in
            isPathCharacter(byte) || byte == UInt8(ascii: "%") && isEscape(bytes, at: index)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Percent-encodes all characters except unreserved ones.
    public static func segment(_ text: String) -> String {
        guard !text.utf8.allSatisfy(isUnreserved) else { return text }
        let bytes = Array(text.utf8)
        return String(decoding: encode(bytes) { _, byte in isUnreserved(byte) }, as: UTF8.self)
    }

    /// Returns the first path segment of `url` that is `.` or `..`, percent-encoded or not. Some
    /// intermediaries resolve these segments and others do not, so a request could bypass access
    /// rules for the path before them.
    public static func dotSegment(in url: String) -> Substring? {
        guard mayHaveDotSegment(url) else { return nil }
        // Works on scalars: a slash before a combining mark is part of another `Character`.
        let path = url.unicodeScalars.prefix { $0 != "?" && $0 != "#" }
        return path.split(separator: "/").map(Substring.init).first { segment in
            let plain = segment.lowercased().replacingOccurrences(of: "%2e", with: ".")
            return plain == "." || plain == ".."
        }
    }

    /// A fast path: most URLs contain no candidate, which this check finds without splitting them.
    private static func mayHaveDotSegment(_ url: String) -> Bool {
        var url = url
        return url.withUTF8 { bytes in
            zip(bytes, bytes.dropFirst()).contains { byte, next in
                byte == UInt8(ascii: "/")
                    && (next == UInt8(ascii: ".") || next == UInt8(ascii: "%"))
            }
        }
    }

    private static func encode(
        _ bytes: [UInt8], keeping isKept: (Int, UInt8) -> Bool
    ) -> [UInt8] {
        let hex = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        encoded.reserveCapacity(bytes.count + bytes.count / 2)
        for (index, byte) in bytes.enumerated() {
            if isKept(index, byte) {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
            }
        }
        return encoded
    }

    private static func isEscape(_ bytes: [UInt8], at index: Int) -> Bool {
        index + 2 < bytes.count && isHexDigit(bytes[index + 1]) && isHexDigit(bytes[index + 2])
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        Character(Unicode.Scalar(byte)).isHexDigit
    }

    /// Returns whether the byte is an unreserved character (RFC 3986, section 2.3).
    public static func isUnreserved(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~": true
        default: false
        }
    }

    private static func isPathCharacter(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "/", ":", "@", "!", "$", "&", "'", "(", ")", "*", "+", ",", ";", "=": true
        default: isUnreserved(byte)
        }
    }
}
