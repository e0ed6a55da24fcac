/// Finds the secrets of a message in one pass over its bytes, whatever the encoding, complete or
/// truncated. A format calls another one for a range of the same bytes: multipart calls JSON for a
/// part, JSON calls a form for a string. Only escaped texts are copied.
///
/// Generic, so that tests can count how often a byte is read.
struct MessageScan<Bytes: RandomAccessCollection>
where Bytes.Element == UInt8, Bytes.Index == Int {
    let bytes: Bytes
    let redaction: Redaction
    private var edits: [Edit] = []
    /// Results for names of this message. Most messages repeat their names.
    private var known: [Name: Bool] = [:]

    struct Edit {
        var range: Range<Int>
        let text: [UInt8]
    }

    private struct Name: Hashable {
        let text: String
        let place: SensitiveNames.Place
    }

    init(_ bytes: Bytes, _ redaction: Redaction) {
        self.bytes = bytes
        self.redaction = redaction
    }

    /// The whole message.
    var range: Range<Int> { bytes.startIndex..<bytes.endIndex }
    var editCount: Int { edits.count }

    mutating func mask(_ range: Range<Int>) { replace(range, by: Mask.bytes) }

    mutating func replace(_ range: Range<Int>, by text: [UInt8]) {
        edits.append(Edit(range: range, text: text))
    }

    mutating func removeEdits(after count: Int) { edits.removeSubrange(count...) }

    func hasQuote(after count: Int) -> Bool {
        edits[count...].contains { $0.text.contains { $0 == UInt8(ascii: "\"") } }
    }

    /// Returns the first `limit` bytes with secrets masked. A secret that begins before the limit
    /// is masked as a whole.
    func masked(upTo limit: Int = .max) -> [UInt8] {
        let end = bytes.startIndex + min(limit, bytes.count)
        var output: [UInt8] = []
        output.reserveCapacity(end - bytes.startIndex)
        var index = bytes.startIndex
        for edit in secrets where edit.range.lowerBound < end || end == bytes.endIndex {
            output += bytes[index..<edit.range.lowerBound]
            output += edit.text
            index = edit.range.upperBound
        }
        if index < end { output += bytes[index..<end] }
        return output
    }

    /// The secrets in the order of their places. Of overlapping secrets, the first replaces the
    /// range of all; of equal ones, the last.
    var secrets: [Edit] {
        let isSorted = zip(edits, edits.dropFirst()).allSatisfy {
            $0.range.upperBound <= $1.range.lowerBound
        }
        guard !isSorted else { return edits }
        let sorted = edits.enumerated().sorted { first, second in
            let (a, b) = (first.element.range, second.element.range)
            if a.lowerBound != b.lowerBound { return a.lowerBound < b.lowerBound }
            if a.upperBound != b.upperBound { return a.upperBound > b.upperBound }
            return first.offset > second.offset
        }
        return sorted.reduce(into: []) { secrets, next in
            let range = next.element.range
            guard let last = secrets.last, range.lowerBound < last.range.upperBound else {
                return secrets.append(next.element)
            }
            let end = max(last.range.upperBound, range.upperBound)
            secrets[secrets.count - 1].range = last.range.lowerBound..<end
        }
    }

    /// Returns whether a value of this name is secret. Names such as `user[password]` count by
    /// their segments.
    mutating func isSecret(_ name: String, in place: SensitiveNames.Place) -> Bool {
        guard !name.isEmpty else { return false }
        let key = Name(text: name, place: place)
        if let isSecret = known[key] { return isSecret }
        let isSecret = redaction.isSecretPath(name, in: place)
        // Bounded, because servers can send any number of names.
        if known.count >= 1024 { known.removeAll(keepingCapacity: true) }
        if name.utf8.count <= 64 { known[key] = isSecret }
        return isSecret
    }

    /// Returns `text` with secrets masked, or `nil` if it has none.
    func masked(_ text: [UInt8], _ depth: Int) -> [UInt8]? {
        var scan = MessageScan<[UInt8]>(text, redaction)
        scan.value(scan.range, depth)
        return scan.editCount == 0 ? nil : scan.masked()
    }
}

// Reading.
extension MessageScan {
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    func first(_ range: Range<Int>, where isWanted: (UInt8) -> Bool) -> Int? {
        range.first { isWanted(bytes[$0]) }
    }

    func last(_ range: Range<Int>, where isWanted: (UInt8) -> Bool) -> Int? {
        range.last { isWanted(bytes[$0]) }
    }

    /// Returns the end of the bytes from the start of `range` that are `wanted`.
    func end(_ range: Range<Int>, while isWanted: (UInt8) -> Bool) -> Int {
        range.first { !isWanted(bytes[$0]) } ?? range.upperBound
    }

    func endOfLine(_ range: Range<Int>) -> Int { end(range) { $0 != 0x0A && $0 != 0x0D } }

    /// Returns the start of the next line, after the line end at `index`.
    func nextLine(_ index: Int, _ end: Int) -> Int {
        guard index < end else { return end }
        let isPair = bytes[index] == 0x0D && index + 1 < end && bytes[index + 1] == 0x0A
        return index + (isPair ? 2 : 1)
    }

    /// Returns whether `text` begins at `index`. With `ignoringCase`, `text` is in lower case.
    func has(
        _ text: StaticString, _ index: Int, _ end: Int, ignoringCase: Bool = false
    ) -> Bool {
        guard index >= bytes.startIndex, index + text.utf8CodeUnitCount <= end else { return false }
        return text.withUTF8Buffer { wanted in
            wanted.indices.allSatisfy {
                let byte = bytes[index + $0]
                return byte == wanted[$0] || ignoringCase && Mask.lower(byte) == wanted[$0]
            }
        }
    }

    func find(_ text: StaticString, _ range: Range<Int>) -> Int? {
        let first = text.utf8Start.pointee
        return range.first { bytes[$0] == first && has(text, $0, range.upperBound) }
    }
}

/// Bytes and limits of all formats.
enum Mask {
    static let bytes = Array(Redaction.mask.utf8)

    /// Maximum nesting depth of texts, such as a URL in a query or JSON in a JSON string. Each
    /// level uses stack space.
    static let maximumDepth = 8

    static func lower(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    static func isQuote(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") || byte == UInt8(ascii: "`")
    }

    static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

    /// Unreserved characters (RFC 3986, section 2.3) and the characters of the mask.
    static func isUnreserved(_ byte: UInt8) -> Bool {
        isDigit(byte) || isLetter(byte) || "-._~*".utf8.contains(byte)
    }

    static func percentEncoded(_ bytes: [UInt8]) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return bytes.flatMap { byte in
            isUnreserved(byte)
                ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
    }

    /// Decodes valid escapes and keeps invalid ones.
    static func percentDecoded(_ bytes: [UInt8]) -> [UInt8] {
        var plain: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let high = hexDigit(bytes[index + 1]), let low = hexDigit(bytes[index + 2])
            {
                plain.append(high << 4 | low)
                index += 3
            } else {
                plain.append(bytes[index])
                index += 1
            }
        }
        return plain
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        if isDigit(byte) { return byte & 15 }
        let letter = (byte | 0x20) &- 0x61
        return letter < 6 ? letter + 10 : nil
    }
}
