// Recognizes the format of a text by its beginning.
extension MessageScan {
    /// Scans a body: a multipart form, server-sent events or a document.
    mutating func body(_ range: Range<Int>, _ depth: Int) {
        guard depth < Mask.maximumDepth else { return mask(range) }
        if let first = firstPart(range) { return multipart(range, from: first, depth) }
        if isEventStream(range) { return events(range, depth) }
        // Binary formats have a NUL near the beginning, and contain no names to look for.
        let isBinary = bytes[range].prefix(1024).contains(0) && !isUTF8(range)
        if !isBinary { document(range, depth) }
    }

    /// Scans a value that is not secret itself: an address, a text that is percent-encoded once
    /// more, or a document.
    mutating func value(_ range: Range<Int>, _ depth: Int) {
        if isAddress(range) { return address(range, depth) }
        guard depth < Mask.maximumDepth, isPercentEncoded(range) else {
            return document(range, depth)
        }
        decodedValue(range, depth)
    }

    /// Scans a percent-encoded value. If it contains a secret, encodes it again.
    mutating func decodedValue(_ range: Range<Int>, _ depth: Int) {
        let plain = Mask.percentDecoded(Array(bytes[range]))
        if let masked = masked(plain, depth + 1) { replace(range, by: Mask.percentEncoded(masked)) }
    }

    mutating func document(_ range: Range<Int>, _ depth: Int) {
        var start = range.lowerBound
        if has("\u{FEFF}", start, range.upperBound) { start += 3 }
        let content = end(start..<range.upperBound, while: Mask.isBlank)..<range.upperBound
        if isJSON(content) { return json(range, depth) }
        if isXML(content) { return xml(range, depth) }
        isForm(content) ? pairs(content.lowerBound..<endOfLine(content), depth) : text(range, depth)
    }

    private func isUTF8(_ range: Range<Int>) -> Bool {
        text(range).utf8.elementsEqual(bytes[range])
    }

    /// Returns whether the text begins like JSON, after a prefix that servers add to prevent its
    /// execution as a script.
    private func isJSON(_ range: Range<Int>) -> Bool {
        var start = range.lowerBound
        let guards: [StaticString] = [")]}'", ",", "while(1);", "for(;;);", "for (;;);"]
        for prefix in guards {
            start = end(start..<range.upperBound, while: Mask.isBlank)
            if has(prefix, start, range.upperBound) { start += prefix.utf8CodeUnitCount }
        }
        start = end(start..<range.upperBound, while: Mask.isBlank)
        return start < range.upperBound && "{[\"".utf8.contains(bytes[start])
    }

    /// Returns whether the text begins with a tag, a comment or a declaration. A URL in angle
    /// brackets does not count.
    func isXML(_ range: Range<Int>) -> Bool {
        let (start, limit) = (range.lowerBound + 1, range.upperBound)
        guard range.count > 1, bytes[start - 1] == UInt8(ascii: "<") else { return false }
        if bytes[start] == UInt8(ascii: "!") || has("?xml", start, limit) { return true }
        let after = end(start..<limit) { $0 > 0x20 && !"=>/?\"".utf8.contains($0) }
        guard after > start else { return false }
        return after == limit || Mask.isBlank(bytes[after]) || bytes[after] == UInt8(ascii: ">")
            || has("/>", after, limit)
    }

    /// Returns whether the text is a single line that begins with `name=`.
    private func isForm(_ range: Range<Int>) -> Bool {
        let name = end(range) { $0 > 0x20 && !"=:\"'<>{}(),;".utf8.contains($0) }
        guard name > range.lowerBound, name < range.upperBound,
            bytes[name] == UInt8(ascii: "=")
        else { return false }
        return end(endOfLine(range)..<range.upperBound, while: Mask.isBlank) == range.upperBound
    }

    /// Returns whether the text is a URL, or a relative reference that begins with its path.
    private func isAddress(_ range: Range<Int>) -> Bool {
        guard !range.isEmpty,
            bytes[range.lowerBound] == UInt8(ascii: "/") || find("://", range) != nil
        else { return false }
        return first(range) { $0 <= 0x20 || "\"'<>{}".utf8.contains($0) } == nil
    }

    /// Returns whether all of the text is percent-encoded, such as a URL that was encoded twice.
    private func isPercentEncoded(_ range: Range<Int>) -> Bool {
        var hasEscape = false
        for index in range {
            guard bytes[index] != UInt8(ascii: "%") else {
                hasEscape = true
                continue
            }
            guard bytes[index] == UInt8(ascii: "+") || Mask.isUnreserved(bytes[index]) else {
                return false
            }
        }
        return hasEscape
    }
}
