import Foundation

/// Percent-encoding of paths (RFC 3986, section 3.3).
public enum PercentEncoding {
    /// Encodes what a path cannot hold and keeps escapes that are there already.
    public static func path(_ text: String) -> String {
        guard !text.utf8.allSatisfy(isPathCharacter) else { return text }
        var bytes = Array(text.utf8)
        bytes = encode(bytes) { index, byte in
            isPathCharacter(byte) || byte == UInt8(ascii: "%") && isEscape(bytes, at: index)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Encodes everything but unreserved characters.
    public static func segment(_ text: String) -> String {
        guard !text.utf8.allSatisfy(isUnreserved) else { return text }
        let bytes = Array(text.utf8)
        return String(decoding: encode(bytes) { _, byte in isUnreserved(byte) }, as: UTF8.self)
    }

    /// The first segment of the path of `url` that is `.` or `..`, encoded or not. Some on the way to a server resolve
    /// them and some do not, so that what stands before one may be protected and what is reached is not.
    public static func dotSegment(in url: String) -> Substring? {
        guard mayHaveDotSegment(url) else { return nil }
        let path = url.prefix { $0 != "?" && $0 != "#" }
        return path.split(separator: "/").first { segment in
            let plain = segment.lowercased().replacingOccurrences(of: "%2e", with: ".")
            return plain == "." || plain == ".."
        }
    }

    /// Nearly every URL has nothing of the kind, which is told without taking it to pieces.
    private static func mayHaveDotSegment(_ url: String) -> Bool {
        var previous: UInt8 = 0
        for byte in url.utf8 {
            if previous == UInt8(ascii: "/"), byte == UInt8(ascii: ".") || byte == UInt8(ascii: "%")
            {
                return true
            }
            previous = byte
        }
        return false
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

    /// Whether the byte stands for itself wherever it is in a URL (RFC 3986, section 2.3).
    public static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static func isPathCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "!"),
            UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("),
            UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ","),
            UInt8(ascii: ";"), UInt8(ascii: "="):
            true
        default: isUnreserved(byte)
        }
    }
}
