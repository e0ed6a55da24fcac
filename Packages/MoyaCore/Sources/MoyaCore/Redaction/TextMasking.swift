import Foundation

/// Masks secrets in text of unknown format: `token=…`, `password: …`, `Bearer …`, header lines,
/// user names and passwords in URLs, and tokens of known services. Works on bytes, so that text in
/// any ASCII-compatible encoding is preserved.
struct TextMasking {
    private let bytes: [UInt8]
    private let redaction: Redaction
    private var index = 0
    private var output: [UInt8] = []

    static func masked(_ bytes: [UInt8], _ redaction: Redaction) -> [UInt8] {
        var masking = TextMasking(bytes: bytes, redaction: redaction)
        masking.output.reserveCapacity(bytes.count)
        masking.run()
        return masking.output
    }

    /// Masks only tokens with a recognizable format.
    static func maskingTokens(in bytes: [UInt8]) -> [UInt8] {
        var masking = TextMasking(bytes: bytes, redaction: .none)
        masking.output.reserveCapacity(bytes.count)
        while masking.index < bytes.count {
            if !masking.takeToken() { masking.take(1) }
        }
        return masking.output
    }

    private mutating func run() {
        while index < bytes.count {
            if redaction.hidesTellingNames, takeToken() { continue }
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: ":") where redaction.hidesUserInfo && isAuthority: takeUserInfo()
            case UInt8(ascii: "="), UInt8(ascii: ":"): takeValue(after: byte)
            default: take(1)
            }
        }
    }

    private mutating func takeToken() -> Bool {
        guard let range = TokenSearch.range(ofTokenAt: index, in: bytes) else { return false }
        output += bytes[index..<range.lowerBound]
        mask(to: range.upperBound)
        return true
    }

    private mutating func mask(to end: Int) {
        output += Array(Redaction.mask.utf8)
        index = end
    }

    private mutating func take(_ count: Int) {
        output += bytes[index..<(index + count)]
        index += count
    }

    private func has(_ text: StaticString, at place: Int) -> Bool {
        guard place + text.utf8CodeUnitCount <= bytes.count else { return false }
        return text.withUTF8Buffer { $0.elementsEqual(bytes[place..<(place + $0.count)]) }
    }
}

// User names and passwords in URLs.
extension TextMasking {
    private var isAuthority: Bool { has("://", at: index) }

    private mutating func takeUserInfo() {
        take(3)
        let end = bytes[index...].firstIndex { Self.isBlank($0) || "/?#\"'<>`\\".utf8.contains($0) }
        guard let at = bytes[index..<(end ?? bytes.count)].lastIndex(of: UInt8(ascii: "@")) else {
            return
        }
        mask(to: at)
    }
}

// Names and values.
extension TextMasking {
    private mutating func takeValue(after separator: UInt8) {
        let (name, start) = nameBefore(index)
        let isArrow = has("=>", at: index)
        // Prose follows the rules of markup, where `key` and `code` are not secret: "code: 404",
        // "key: value".
        let isPair = separator == UInt8(ascii: "=") && !isArrow
        let place: SensitiveNames.Place = isPair ? .parameter : .markup
        take(isArrow ? 2 : 1)
        guard !name.isEmpty, redaction.isSecretPath(name, in: place) else { return }
        while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x09 { take(1) }
        guard index < bytes.count else { return }
        let isField = separator == UInt8(ascii: ":") && isLineStart(start)
        if isField, index == endOfLine { return takeItems() }
        let end = isField ? endOfLine : endOfValue
        guard end > index else { return }
        if !isField, Self.isQuote(bytes[index]) { take(1) }
        mask(to: end)
    }

    /// Masks the items of the following list, each on its own line after a dash (YAML 1.2, section
    /// 8.2.1).
    private mutating func takeItems() {
        while let item = startOfItem {
            take(item - index)
            mask(to: endOfLine)
        }
    }

    /// Returns the start of the list item's text if the next line is a list item.
    private var startOfItem: Int? {
        guard let dash = bytes[index...].firstIndex(where: { !Self.isBlank($0) }),
            bytes[dash] == UInt8(ascii: "-"),
            let item = bytes[(dash + 1)...].firstIndex(where: { $0 != 0x20 }),
            item > dash + 1, !Self.isBlank(bytes[item])
        else { return nil }
        return item
    }

    /// Returns the name before a separator, quoted or unquoted, and its start.
    private func nameBefore(_ separator: Int) -> (name: String, start: Int) {
        var end = separator
        while end > 0, bytes[end - 1] == 0x20 { end -= 1 }
        if end > 0, Self.isQuote(bytes[end - 1]) { end -= 1 }
        if end > 0, bytes[end - 1] == UInt8(ascii: "\\") { end -= 1 }
        var start = end
        // Longer text is not a name.
        while start > 0, separator - start < 256, Self.isNameByte(bytes[start - 1]) { start -= 1 }
        let name = String(decoding: bytes[start..<end], as: UTF8.self)
        return (name.removingPercentEncoding ?? name, start)
    }

    /// Returns whether a header line begins at `start`, possibly after the characters that curl
    /// prefixes.
    private func isLineStart(_ start: Int) -> Bool {
        let before = bytes[..<start].reversed().first { !"<> *".utf8.contains($0) }
        return before == nil || before == 0x0A || before == 0x0D
    }

    private var endOfLine: Int {
        bytes[index...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
    }

    /// The end of the value that begins here. A quoted value ends before the closing quote.
    private var endOfValue: Int {
        let first = bytes[index]
        if Self.isQuote(first) { return endOfQuoted(by: first) }
        if let range = TokenSearch.range(ofCredentialsAt: index, in: bytes) {
            return range.upperBound
        }
        var place = index
        while place < bytes.count, !isEnd(at: place) { place += 1 }
        return place
    }

    private func endOfQuoted(by quote: UInt8) -> Int {
        var place = index + 1
        while place < bytes.count, bytes[place] != quote {
            place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(place, bytes.count)
    }

    /// Returns whether a value ends at `place`. Punctuation ends a value only before white space,
    /// because it may be part of a secret.
    private func isEnd(at place: Int) -> Bool {
        let byte = bytes[place]
        if Self.isBlank(byte) || byte == UInt8(ascii: "&") || byte == UInt8(ascii: "<")
            || byte == UInt8(ascii: ">") || Self.isQuote(byte)
        {
            return true
        }
        guard ",;)]}".utf8.contains(byte) else { return false }
        return place + 1 >= bytes.count || Self.isBlank(bytes[place + 1])
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 }

    private static func isQuote(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") || byte == UInt8(ascii: "`")
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "a"..."z", "A"..."Z", "0"..."9", "\u{80}"..."\u{FF}": true
        case "_", "-", ".", "[", "]", "%", "$": true
        default: false
        }
    }
}
