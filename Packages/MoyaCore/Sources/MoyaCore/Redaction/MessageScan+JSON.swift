import Foundation

// JSON, valid or invalid, and texts that are like it: JavaScript and Python literals, YAML flows.
// Masked values keep their JSON types, so that a replayed response can be decoded.
extension MessageScan {
    /// An object whose end has not been reached.
    private struct Object {
        /// Whether it has a member such as `name` whose value is a secret's name:
        /// `{"name":"PIN","value":…}`.
        var isPairSecret = false
        /// Start of the value of its member `value`.
        var value: Int?
    }

    mutating func json(_ range: Range<Int>, _ depth: Int) {
        var objects = [Object()]
        /// Objects that are nested too deeply to be remembered.
        var excess = 0
        /// Values whose names follow them.
        var pairs: [Int] = []
        var index = range.lowerBound
        while index < range.upperBound {
            switch bytes[index] {
            case UInt8(ascii: "{"):
                if objects.count < 512 { objects.append(Object()) } else { excess += 1 }
                index += 1
            case UInt8(ascii: "}"):
                if excess > 0 { excess -= 1 } else if objects.count > 1 { objects.removeLast() }
                index += 1
            case UInt8(ascii: "["), UInt8(ascii: "]"): index += 1
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                let string = index..<endOfString(index, range.upperBound)
                index = string.upperBound
                guard let value = startOfValue(after: string.upperBound, range.upperBound) else {
                    self.string(string, depth)
                    continue
                }
                let name = unquoted(string)
                if isSecret(name, value, range, &objects[objects.count - 1], &pairs) {
                    index = secret(value, range.upperBound)
                }
            default:
                let run = index..<end(index..<range.upperBound) { !"\"'{}[]".utf8.contains($0) }
                // Shorter runs contain no pair.
                if run.count > 3 { text(run, depth, startsLine: index == range.lowerBound) }
                index = run.upperBound
                guard let name = unquotedName(run), index < range.upperBound else { continue }
                if isSecret(name, index, range, &objects[objects.count - 1], &pairs) {
                    index = secret(index, range.upperBound)
                }
            }
        }
        // In order and each once, because one may contain another.
        var end = range.lowerBound
        for value in pairs.sorted() where value >= end { end = secret(value, range.upperBound) }
    }

    /// Returns whether the value of a member is secret.
    private mutating func isSecret(
        _ name: String, _ value: Int, _ range: Range<Int>, _ object: inout Object,
        _ pairs: inout [Int]
    ) -> Bool {
        let lower = name.lowercased()
        if SecretTable.pairValues.contains(lower) {
            object.value = value
            if object.isPairSecret { return true }
        } else if SecretTable.pairNames.contains(lower), value < range.upperBound,
            Mask.isQuote(bytes[value])
        {
            let text = unquoted(value..<endOfString(value, min(value + 258, range.upperBound)))
            if isSecret(text, in: .parameter) {
                object.isPairSecret = true
                if let earlier = object.value { pairs.append(earlier) }
            }
        }
        // A number in `code` is an error code, in `key` a row key, unless the caller has listed the
        // name.
        if ["code", "key"].contains(lower), isNumber(value..<endOfWord(value, range.upperBound)) {
            return redaction.queryNames.contains(lower)
        }
        return isSecret(name, in: .member)
    }

    /// Scans a string that is a value.
    private mutating func string(_ range: Range<Int>, _ depth: Int) {
        // Shorter values contain neither a pair nor a token.
        guard range.count > 5 else { return }
        guard depth < Mask.maximumDepth else { return maskString(range) }
        let isClosed = bytes[range.upperBound - 1] == bytes[range.lowerBound]
        let content = (range.lowerBound + 1)..<(range.upperBound - (isClosed ? 1 : 0))
        if first(content, where: { $0 == UInt8(ascii: "\\") }) == nil {
            let count = editCount
            value(content, depth + 1)
            guard hasQuote(after: count) else { return }
            removeEdits(after: count)
        }
        guard let masked = masked(Array(unquoted(range).utf8), depth + 1) else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        let text = String(decoding: masked, as: UTF8.self)
        guard let quoted = try? encoder.encode(text) else { return maskString(range) }
        replace(range, by: Array(quoted))
    }

    /// Returns the text of a string, with escapes resolved.
    private func unquoted(_ range: Range<Int>) -> String {
        if bytes[range.lowerBound] == UInt8(ascii: "\""),
            first(range, where: { $0 == UInt8(ascii: "\\") }) != nil,
            let text = try? JSONDecoder().decode(String.self, from: Data(bytes[range]))
        {
            return text
        }
        let isClosed =
            range.count > 1 && bytes[range.upperBound - 1] == bytes[range.lowerBound]
        return text((range.lowerBound + 1)..<(range.upperBound - (isClosed ? 1 : 0)))
    }

    /// Returns the start of a member's value, or `nil` if the string before `index` is not a
    /// member's name.
    private func startOfValue(after index: Int, _ end: Int) -> Int? {
        let colon = self.end(index..<end, while: Mask.isBlank)
        guard has(":", colon, end) else { return nil }
        return self.end((colon + 1)..<end, while: Mask.isBlank)
    }

    /// Returns the name at the end of a run, if a string, an object or an array follows it as its
    /// value: `password: "…"`.
    private func unquotedName(_ run: Range<Int>) -> String? {
        guard var separator = last(run, where: { !Mask.isBlank($0) }) else { return nil }
        if separator > run.lowerBound, has("=>", separator - 1, run.upperBound) { separator -= 1 }
        guard ":=".utf8.contains(bytes[separator]) else { return nil }
        let (name, isQuoted) = name(before: separator, run.lowerBound)
        return name.isEmpty || isQuoted ? nil : text(name)
    }
}

// Secret values.
extension MessageScan {
    /// Masks the value at `start`: a string becomes the mask, a number becomes 0, and literals are
    /// kept. In an object or array, masks each value. Returns the end of the value.
    mutating func secret(_ start: Int, _ end: Int) -> Int {
        if start == end { replace(start..<end, by: quotedMask(UInt8(ascii: "\""))) }
        var (index, depth) = (start, 0)
        while index < end {
            switch bytes[index] {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                let string = index..<endOfString(index, end)
                index = string.upperBound
                // Names of members inside the value are kept.
                if depth == 0 || startOfValue(after: index, end) == nil { maskString(string) }
                if depth == 0 { return index }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                index += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                // Closes the object or array that contains the value.
                guard depth > 0 else { return index }
                depth -= 1
                index += 1
                if depth == 0 { return index }
            case let byte where byte == UInt8(ascii: ",") || Mask.isBlank(byte):
                guard depth > 0 else { return index }
                index += 1
            case UInt8(ascii: ":") where depth > 0: index += 1
            default:
                let word = index..<max(index + 1, endOfWord(index, end))
                maskWord(word)
                index = word.upperBound
            }
        }
        return index
    }

    private mutating func maskWord(_ word: Range<Int>) {
        if word.count < 6, ["true", "false", "null"].contains(text(word)) { return }
        replace(word, by: isNumber(word) ? [UInt8(ascii: "0")] : quotedMask(UInt8(ascii: "\"")))
    }

    private mutating func maskString(_ range: Range<Int>) {
        replace(range, by: quotedMask(bytes[range.lowerBound]))
    }

    private func quotedMask(_ quote: UInt8) -> [UInt8] { [quote] + Mask.bytes + [quote] }

    /// Returns the end of the text at `start`, up to a string, bracket, comma or white space.
    private func endOfWord(_ start: Int, _ end: Int) -> Int {
        self.end(start..<end) { $0 > 0x20 && !"\"'{}[],".utf8.contains($0) }
    }

    private func isNumber(_ range: Range<Int>) -> Bool {
        !range.isEmpty && first(range) { !"0123456789+-.eE".utf8.contains($0) } == nil
    }
}
