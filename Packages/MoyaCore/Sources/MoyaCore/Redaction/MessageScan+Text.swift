// Text of unknown format: `token=…`, `password: …`, header lines, YAML, command lines, URLs,
// and tokens of known services.
extension MessageScan {
    /// - Parameter startsLine: Whether the range begins at the start of a line.
    mutating func text(_ range: Range<Int>, _ depth: Int, startsLine: Bool = true) {
        var index = range.lowerBound
        while index < range.upperBound {
            if redaction.hidesSensitiveNames, let token = token(index, range) {
                mask(token)
                index = token.upperBound
                continue
            }
            switch bytes[index] {
            case UInt8(ascii: ":") where has("://", index, range.upperBound):
                index = link(index, range, depth)
            case UInt8(ascii: "="), UInt8(ascii: ":"):
                index = value(after: index, range, startsLine)
            case UInt8(ascii: "-") where index == range.lowerBound || isBlank(index - 1):
                index = option(index, range)
            default: index += 1
            }
        }
    }

    /// Scans only for tokens with a recognizable format.
    mutating func tokens(_ range: Range<Int>) {
        var index = range.lowerBound
        while index < range.upperBound {
            guard let token = token(index, range) else {
                index += 1
                continue
            }
            mask(token)
            index = token.upperBound
        }
    }

    private func token(_ index: Int, _ range: Range<Int>) -> Range<Int>? {
        TokenSearch.range(ofTokenAt: index, in: bytes, range)
    }

    private func isBlank(_ index: Int) -> Bool { Mask.isBlank(bytes[index]) }

    /// Scans the URL whose scheme ends at `colon`, and returns its end.
    private mutating func link(_ colon: Int, _ range: Range<Int>, _ depth: Int) -> Int {
        // The next URL begins with its own scheme.
        let rest = (colon + 3)..<range.upperBound
        var end =
            rest.first { index in
                let byte = bytes[index]
                return byte <= 0x20 || "\"'<>`\\{}".utf8.contains(byte)
                    || has("://", index, range.upperBound)
            } ?? range.upperBound
        while end > colon + 3, ".,;)]!".utf8.contains(bytes[end - 1]) { end -= 1 }
        address(colon..<end, depth)
        return end
    }

    /// Masks the value of a command's option: `-u user:password`, `--token …`.
    private mutating func option(_ dash: Int, _ range: Range<Int>) -> Int {
        let isLong = has("--", dash, range.upperBound)
        let start = dash + (isLong ? 2 : 1)
        let name = start..<end(start..<range.upperBound, while: isNameByte)
        guard !name.isEmpty, name.upperBound < range.upperBound, isBlank(name.upperBound) else {
            return start
        }
        var value = end(name.upperBound..<range.upperBound, while: Mask.isSpace)
        guard value < range.upperBound, bytes[value] != UInt8(ascii: "-") else { return value }
        let limit = endOfValue(value, range.upperBound)
        if Mask.isQuote(bytes[value]) { value += 1 }
        let isUser = ["u", "U", "user", "proxy-user"].contains(text(name))
        let isSecret =
            isUser
            ? first(value..<limit) { $0 == UInt8(ascii: ":") } != nil
            : isLong && self.isSecret(text(name), in: .parameter)
        guard isSecret, value < limit else { return name.upperBound }
        mask(value..<limit)
        return limit
    }
}

// Names and values.
extension MessageScan {
    /// Masks the value after a separator if its name is secret. Returns where to continue.
    private mutating func value(
        after separator: Int, _ range: Range<Int>, _ startsLine: Bool
    ) -> Int {
        let isArrow = has("=>", separator, range.upperBound)
        let after = separator + (isArrow ? 2 : 1)
        let (name, isQuoted) = name(before: separator, range.lowerBound)
        let isField = bytes[separator] == UInt8(ascii: ":")
        // Prose follows the rules of markup, where `key` and `code` are not secret: "code: 404",
        // "key: value".
        guard isSecret(name, in: isField || isArrow ? .markup : .parameter) else { return after }
        var start = end(after..<range.upperBound, while: Mask.isSpace)
        guard start < range.upperBound else { return start }
        // `map[password:…` does not begin a line.
        let isPlain = first(name) { $0 == UInt8(ascii: "[") } == nil
        if isField, isPlain, let line = lineStart(name.lowerBound, range, startsLine) {
            return field(name.lowerBound - line, start, range)
        }
        let limit: Int
        if isField, !isQuoted, name.lowerBound > range.lowerBound,
            Mask.isQuote(bytes[name.lowerBound - 1])
        {
            // A header field in an argument: `'Cookie: a=b; c=d'`.
            let quote = bytes[name.lowerBound - 1]
            limit = end(start..<range.upperBound) { $0 != quote }
        } else if "{[".utf8.contains(bytes[start]) {
            return secret(start, range.upperBound)
        } else {
            limit = endOfValue(start, range.upperBound)
            if Mask.isQuote(bytes[start]) { start += 1 }
        }
        guard limit > start else { return start }
        mask(start..<limit)
        return limit
    }

    /// Returns whether the text of `name` is the name of a secret.
    mutating func isSecret(_ name: Range<Int>, in place: SensitiveNames.Place) -> Bool {
        guard !name.isEmpty else { return false }
        let text = String(decoding: Mask.percentDecoded(Array(bytes[name])), as: UTF8.self)
        return isSecret(text, in: place)
    }

    /// Masks the value of a line, and the lines that continue it: deeper indented ones (YAML 1.2,
    /// chapters 7 and 8; obsolete line folding, RFC 9112, section 5.2) and, after an empty value,
    /// list items.
    private mutating func field(_ column: Int, _ start: Int, _ range: Range<Int>) -> Int {
        var end = endOfLine(start..<range.upperBound)
        let isBlock = start == end || "|>".utf8.contains(bytes[start])
        if start < end { mask(start..<end) }
        var line = nextLine(end, range.upperBound)
        while line < range.upperBound {
            var content = self.end(line..<range.upperBound, while: Mask.isSpace)
            let limit = endOfLine(content..<range.upperBound)
            let indent = content - line
            if content == limit {
                guard isBlock else { break }
            } else {
                let isItem = isBlock && indent >= column && has("- ", content, limit)
                guard indent > column || isItem else { break }
                if isItem { content = self.end((content + 1)..<limit) { $0 == 0x20 } }
                if content < limit { mask(content..<limit) }
                end = limit
            }
            line = nextLine(limit, range.upperBound)
        }
        return end
    }

    /// Returns the name before a separator, without quotes, and whether it has them.
    func name(before separator: Int, _ start: Int) -> (range: Range<Int>, isQuoted: Bool) {
        var end = separator
        while end > start, bytes[end - 1] == 0x20 { end -= 1 }
        let isQuoted = end > start && Mask.isQuote(bytes[end - 1])
        if isQuoted { end -= 1 }
        if end > start, bytes[end - 1] == UInt8(ascii: "\\") { end -= 1 }
        var first = end
        // Longer text is not a name.
        while first > start, separator - first < 256, isNameByte(bytes[first - 1]) { first -= 1 }
        return (first..<end, isQuoted)
    }

    /// Returns the start of the line of the name at `index`. Before the name it has at most the
    /// characters that curl prefixes, or the dash of a list item.
    private func lineStart(_ index: Int, _ range: Range<Int>, _ startsLine: Bool) -> Int? {
        var start = index
        while start > range.lowerBound, "<> *-".utf8.contains(bytes[start - 1]) { start -= 1 }
        guard start > range.lowerBound else { return startsLine ? start : nil }
        return bytes[start - 1] == 0x0A || bytes[start - 1] == 0x0D ? start : nil
    }

    /// The end of the value that begins at `start`. A quoted value ends before the closing quote.
    private func endOfValue(_ start: Int, _ end: Int) -> Int {
        if Mask.isQuote(bytes[start]) {
            let limit = endOfString(start, end)
            return limit > start + 1 && bytes[limit - 1] == bytes[start] ? limit - 1 : limit
        }
        if let range = TokenSearch.range(ofCredentialsAt: start, in: bytes, end) {
            return range.upperBound
        }
        return (start..<end).first { isEnd($0, end) } ?? end
    }

    /// Returns the end of the string whose opening quote is at `start`, after its closing quote.
    func endOfString(_ start: Int, _ end: Int) -> Int {
        var index = start + 1
        while index < end, bytes[index] != bytes[start] {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index + 1, end)
    }

    /// Returns whether a value ends at `index`. Punctuation ends a value only before white space,
    /// because it may be part of a secret.
    private func isEnd(_ index: Int, _ end: Int) -> Bool {
        let byte = bytes[index]
        if Mask.isBlank(byte) || Mask.isQuote(byte) || "&<>".utf8.contains(byte) { return true }
        return ",;)]}".utf8.contains(byte) && (index + 1 == end || isBlank(index + 1))
    }

    private func isNameByte(_ byte: UInt8) -> Bool {
        Mask.isLetter(byte) || Mask.isDigit(byte) || byte >= 0x80
            || "_-.[]%$".utf8.contains(byte)
    }
}
