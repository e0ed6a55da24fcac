import Foundation

/// Masks secret values in JSON text and keeps all other bytes. Accepts invalid JSON, because logs
/// have to show what was sent.
struct JSONMasking {
    private let bytes: [UInt8]
    private let redaction: Redaction
    /// Nesting depth of texts, such as JSON in a JSON string.
    private let depth: Int
    private var index = 0
    /// Whether the current object has a `name` or `key` member whose value is a secret's name:
    /// `{"name":"PIN","value":…}`.
    private var isPairSecret = false
    private var output: [UInt8] = []

    static func masked(_ bytes: [UInt8], _ redaction: Redaction, _ depth: Int) -> [UInt8] {
        var masking = JSONMasking(bytes: bytes, redaction: redaction, depth: depth)
        masking.output.reserveCapacity(bytes.count)
        masking.run()
        return masking.output
    }

    /// Returns whether `text` begins like JSON, after a prefix that servers add to prevent its
    /// execution as a script.
    static func isJSON(_ text: ArraySlice<UInt8>) -> Bool {
        var rest = text
        for prefix in [")]}'", ",", "while(1);", "for(;;);", "for (;;);"] {
            rest = rest.drop(while: isSpace)
            if rest.starts(with: prefix.utf8) { rest = rest.dropFirst(prefix.utf8.count) }
        }
        switch rest.first(where: { !isSpace($0) }) {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""): return true
        default: return false
        }
    }

    private mutating func run() {
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "\"") else {
                takeUnquoted()
                continue
            }
            let start = index
            skipString()
            let string = bytes[start..<index]
            if let value = startOfValue() {
                take(name: string, value: value)
            } else {
                output += masked(value: string)
            }
        }
    }

    /// Copies a member's name and, if it is secret, masks the member's value.
    private mutating func take(name: ArraySlice<UInt8>, value: Int) {
        let text = Self.text(of: name)
        let isSecret = isSecret(text, value: value)
        if ["key", "name"].contains(text.lowercased()) { isPairSecret = isName(at: value) }
        guard isSecret else {
            output += name
            return
        }
        output += bytes[name.startIndex..<value]
        index = value
        maskValue()
    }

    private func isSecret(_ name: String, value: Int) -> Bool {
        let lower = name.lowercased()
        if isPairSecret, lower == "value" { return true }
        // A number in `code` is an error code, in `key` a row key, unless the caller has listed the
        // name.
        if ["code", "key"].contains(lower), isNumber(unquoted(at: value)) {
            return redaction.queryNames.contains(lower)
        }
        return redaction.isSecret(name, in: .member)
    }

    /// Copies the bytes up to the next string. In valid JSON they contain no text.
    private mutating func takeUnquoted() {
        let end = bytes[index...].firstIndex(of: UInt8(ascii: "\"")) ?? bytes.count
        let run = Array(bytes[index..<end])
        // `name=value` pairs or strings in single quotes.
        let isText = run.contains { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "'") }
        output += isText ? TextMasking.masked(run, redaction) : run
        if run.contains(UInt8(ascii: "}")) { isPairSecret = false }
        index = end
    }

    /// Returns a string value in its quotes, with the secrets in it masked.
    private func masked(value: ArraySlice<UInt8>) -> [UInt8] {
        // Shorter values contain neither a pair nor a token.
        guard value.count > 5 else { return Array(value) }
        guard depth < Redaction.maximumDepth else { return Self.quotedMask }
        let text = Self.text(of: value)
        let masked = redaction.redact(text: text, depth: depth + 1)
        guard masked != text else { return Array(value) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        let quoted = try? encoder.encode(masked)
        return quoted.map(Array.init) ?? Self.quotedMask
    }

    /// Returns whether a string that begins at `start` is the name of a secret.
    private func isName(at start: Int) -> Bool {
        guard start < bytes.count, bytes[start] == UInt8(ascii: "\"") else { return false }
        let text = bytes[(start + 1)...].prefix { $0 != UInt8(ascii: "\"") }
        return text.count < 256
            && redaction.isSecret(String(decoding: text, as: UTF8.self), in: .parameter)
    }

    private func isLiteral(at start: Int) -> Bool {
        ["true", "false", "null"].contains { literal in
            let end = start + literal.utf8.count
            return bytes[start...].starts(with: literal.utf8)
                && (end == bytes.count || Self.isSpace(bytes[end])
                    || ",]}".utf8.contains(bytes[end]))
        }
    }

    /// Returns the start of a member's value, or `nil` if the string that ends here is not a
    /// member's name.
    private func startOfValue() -> Int? {
        guard let colon = afterSpace(index), bytes[colon] == UInt8(ascii: ":") else { return nil }
        return afterSpace(colon + 1) ?? bytes.count
    }

    private func afterSpace(_ start: Int) -> Int? {
        bytes[start...].firstIndex { !Self.isSpace($0) }
    }

    /// Skips the string that begins here.
    private mutating func skipString() {
        index += 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        index = min(index + 1, bytes.count)
    }

    /// Returns the text of a quoted string, with escapes resolved.
    private static func text(of quoted: ArraySlice<UInt8>) -> String {
        if quoted.contains(UInt8(ascii: "\\")),
            let text = try? JSONDecoder().decode(String.self, from: Data(quoted))
        {
            return text
        }
        let isClosed = quoted.count > 1 && quoted.last == UInt8(ascii: "\"")
        return String(decoding: quoted.dropFirst().dropLast(isClosed ? 1 : 0), as: UTF8.self)
    }

    static func isSpace(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case " ", "\n", "\r", "\t": true
        default: false
        }
    }
}

// Masked values keep their JSON types, so that a replayed response can be decoded.
extension JSONMasking {
    /// Masks the value that begins here: a string becomes the mask, a number becomes 0, and
    /// literals are kept. In an object or array, masks each value.
    private mutating func maskValue() {
        if index == bytes.count { output += Self.quotedMask }
        var depth = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                maskString(isInside: depth > 0)
                if depth == 0 { return }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                takeByte()
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                // Closes the object or array that contains the value.
                guard depth > 0 else { return }
                depth -= 1
                takeByte()
                if depth == 0 { return }
            case let byte where byte == UInt8(ascii: ",") || Self.isSpace(byte):
                guard depth > 0 else { return }
                takeByte()
            case UInt8(ascii: ":") where depth > 0: takeByte()
            default: maskUnquoted()
            }
        }
    }

    /// Masks the string that begins here, unless it is a member's name inside the value.
    private mutating func maskString(isInside: Bool) {
        let start = index
        skipString()
        let isName = isInside && startOfValue() != nil
        output += isName ? Array(bytes[start..<index]) : Self.quotedMask
    }

    /// Masks a number as 0. Other unquoted text is not valid JSON and becomes the mask.
    private mutating func maskUnquoted() {
        let text = unquoted(at: index)
        if isLiteral(at: index) {
            output += text
        } else {
            output += isNumber(text) ? [UInt8(ascii: "0")] : Self.quotedMask
        }
        index = text.endIndex
    }

    private mutating func takeByte() {
        output.append(bytes[index])
        index += 1
    }

    private static let quotedMask = Array("\"\(Redaction.mask)\"".utf8)

    /// Returns the text that begins at `start`, up to a string, bracket, comma or white space.
    private func unquoted(at start: Int) -> ArraySlice<UInt8> {
        bytes[start...].prefix { !Self.isSpace($0) && !"\"{}[],".utf8.contains($0) }
    }

    private func isNumber(_ text: ArraySlice<UInt8>) -> Bool {
        !text.isEmpty && text.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
    }
}
