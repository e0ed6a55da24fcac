import Foundation

/// Percent-encoding of the components of a URL (RFC 3986, section 2.1).
public enum PercentEncoding {
    /// Percent-encodes characters that are not valid in a path and keeps existing escapes.
    public static func path(_ text: String) -> String {
        guard !text.utf8.allSatisfy(isPathCharacter) else { return text }
        return String(
            decoding: encoded(Array(text.utf8)[...], keeping: isPathCharacter), as: UTF8.self)
    }

    /// Percent-encodes the bytes for which `isValid` returns `false` and keeps existing escapes. A
    /// percent sign that begins no escape is encoded.
    static func encoded(
        _ bytes: ArraySlice<UInt8>, keeping isValid: (UInt8) -> Bool
    ) -> [UInt8] {
        let bytes = Array(bytes)
        return encode(bytes) { index, byte in
            isValid(byte) || byte == UInt8(ascii: "%") && isEscape(bytes, at: index)
        }
    }

    /// Percent-encodes all characters except unreserved ones.
    public static func segment(_ text: String) -> String {
        guard !text.utf8.allSatisfy(isUnreserved) else { return text }
        let bytes = Array(text.utf8)
        return String(decoding: encode(bytes) { _, byte in isUnreserved(byte) }, as: UTF8.self)
    }

    /// Percent-encodes all characters except unreserved ones and keeps existing escapes, apart from
    /// those of unreserved characters and the case of their digits (RFC 3986, section 6.2.2).
    public static func normalized(_ text: String) -> String {
        guard !text.utf8.allSatisfy(isUnreserved) else { return text }
        return String(decoding: encode(decoded(text)) { isUnreserved($1) }, as: UTF8.self)
    }

    private static func decoded(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        var decoded: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), isEscape(bytes, at: index) {
                let digits = String(decoding: bytes[(index + 1)...(index + 2)], as: UTF8.self)
                decoded.append(UInt8(digits, radix: 16) ?? 0)
                index += 3
            } else {
                decoded.append(bytes[index])
                index += 1
            }
        }
        return decoded
    }

    /// Returns the first path segment of `url` that is `.` or `..`, percent-encoded or not. Some
    /// intermediaries resolve these segments and others do not, so a request could bypass access
    /// rules for the path before them.
    public static func dotSegment(in url: String) -> Substring? {
        guard mayHaveDotSegment(url) else { return nil }
        let path = url.prefix { $0 != "?" && $0 != "#" }
        return path.split(separator: "/").first { dots(Array($0.utf8)[...]) > 0 }
    }

    /// Returns 1 for the segment `.` and 2 for `..`, percent-encoded or not, otherwise 0.
    static func dots(_ segment: ArraySlice<UInt8>) -> Int {
        var (rest, count) = (segment, 0)
        while let byte = rest.first {
            if byte == UInt8(ascii: ".") {
                rest = rest.dropFirst()
            } else if rest.starts(with: "%2e".utf8) || rest.starts(with: "%2E".utf8) {
                rest = rest.dropFirst(3)
            } else {
                return 0
            }
            count += 1
            if count > 2 { return 0 }
        }
        return count
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

    /// Returns whether a path may contain the byte (RFC 3986, section 3.3).
    static func isPathCharacter(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "/", ":", "@", "!", "$", "&", "'", "(", ")", "*", "+", ",", ";", "=": true
        default: isUnreserved(byte)
        }
    }

    /// Returns whether a query or a fragment may contain the byte (RFC 3986, sections 3.4 and 3.5).
    static func isQueryCharacter(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "?") || isPathCharacter(byte)
    }
}
