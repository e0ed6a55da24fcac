// XML and HTML, complete or truncated: the content of elements and attributes with secret names,
// `<add key="password" value="…"/>`, the value after a secret `<key>` of a property list or
// `<name>` of XML-RPC, and secrets in other text.
extension MessageScan {
    mutating func xml(_ range: Range<Int>, _ depth: Int) {
        var index = range.lowerBound
        /// Whether the last `<key>` or `<name>` is the name of a secret.
        var pair: Pair?
        while index < range.upperBound {
            let rest = index..<range.upperBound
            if bytes[index] != UInt8(ascii: "<") {
                let end = find("<", rest) ?? range.upperBound
                text(index..<end, depth)
                index = end
            } else if has("<!--", index, range.upperBound) {
                let end = end(of: "-->", rest)
                text(index..<end, depth)
                index = end
            } else if has("<![CDATA[", index, range.upperBound) {
                let content = self.end((index + 9)..<range.upperBound, while: Mask.isBlank)
                // The content may itself be XML.
                let isMarkup = isXML(content..<range.upperBound)
                let end = isMarkup ? content : end(of: "]]>", rest)
                if !isMarkup { text(index..<end, depth) }
                index = end
            } else if ["</", "<!", "<?"].contains(where: { has($0, index, range.upperBound) }) {
                index = end(of: ">", rest)
            } else {
                index = element(rest, &pair, depth)
            }
        }
    }

    private enum Pair { case key, name }

    private func end(of text: StaticString, _ range: Range<Int>) -> Int {
        find(text, range).map { $0 + text.utf8CodeUnitCount } ?? range.upperBound
    }

    /// Scans a start tag, and masks the element's content if it is secret. Returns where to
    /// continue.
    private mutating func element(_ range: Range<Int>, _ pair: inout Pair?, _ depth: Int) -> Int {
        let tag = XMLTag(self, range)
        let isNamed = attributes(of: tag, depth)
        guard tag.isOpen else { return tag.end }
        let content = tag.end..<range.upperBound
        let name = text(tag.localName)
        if isSecret(name, in: .markup) { return mask(content, of: tag) }
        let next = find("<", content) ?? range.upperBound
        let isLeaf = isEndTag(of: tag, next, range.upperBound)
        if isLeaf, let kind: Pair = name == "key" ? .key : name == "name" ? .name : nil {
            let place: SensitiveNames.Place = kind == .key ? .member : .parameter
            pair = isSecret(text(tag.end..<next), in: place) ? kind : nil
            return next
        }
        // Other elements than a value may follow a name.
        let isValue = pair == .key || pair == .name && SecretTable.pairValues.contains(name)
        pair = nil
        return isValue || isNamed && isLeaf ? mask(content, of: tag) : tag.end
    }

    /// Masks the secrets in the attributes of a tag. Returns whether an attribute names the element
    /// a secret: `<setting name="password">`.
    private mutating func attributes(of tag: XMLTag, _ depth: Int) -> Bool {
        var isNamed = false
        for attribute in tag.attributes
        where SecretTable.pairNames.contains(text(attribute.name).lowercased()) {
            isNamed = isSecret(text(attribute.value), in: .parameter) || isNamed
        }
        for attribute in tag.attributes where !attribute.value.isEmpty {
            let name = text(attribute.name)
            let isSecret =
                self.isSecret(name, in: .markup)
                || isNamed
                    && (SecretTable.pairValues.contains(name.lowercased()) || name == "content")
            if isSecret { mask(attribute.value) } else { text(attribute.value, depth) }
        }
        return isNamed
    }

    private func isEndTag(of tag: XMLTag, _ index: Int, _ end: Int) -> Bool {
        has("</", index, end) && isName(tag, index + 2, end)
    }

    private func isName(_ tag: XMLTag, _ index: Int, _ end: Int) -> Bool {
        index + tag.name.count <= end && bytes[index..<end].starts(with: bytes[tag.name])
    }

    /// Masks the content up to the element's end tag, or up to the end of the text.
    private mutating func mask(_ content: Range<Int>, of tag: XMLTag) -> Int {
        var (index, depth) = (content.lowerBound, 1)
        while let next = find("<", index..<content.upperBound) {
            index = next + 1
            if isEndTag(of: tag, next, content.upperBound) {
                depth -= 1
                guard depth > 0 else {
                    index = next
                    break
                }
            } else if isName(tag, next + 1, content.upperBound) {
                let inner = XMLTag(self, next..<content.upperBound)
                if inner.name.count == tag.name.count, inner.isOpen { depth += 1 }
                index = inner.end
            }
        }
        if depth > 0 { index = content.upperBound }
        let secret = content.lowerBound..<index
        if first(secret, where: { $0 > 0x20 }) != nil { mask(secret) }
        return index
    }
}

/// A start tag, complete or truncated.
struct XMLTag {
    /// The name, with its namespace prefix.
    let name: Range<Int>
    /// The name without its namespace prefix.
    let localName: Range<Int>
    /// The names without namespace prefixes, and the values without quotes.
    private(set) var attributes: [(name: Range<Int>, value: Range<Int>)] = []
    /// Index after the last byte.
    let end: Int
    /// Whether content follows.
    let isOpen: Bool

    init<Bytes>(_ scan: MessageScan<Bytes>, _ range: Range<Int>) {
        let end = range.upperBound
        func local(_ name: Range<Int>) -> Range<Int> {
            let colon = scan.last(name) { $0 == UInt8(ascii: ":") }
            return (colon.map { $0 + 1 } ?? name.lowerBound)..<name.upperBound
        }
        func name(_ start: Int) -> Range<Int> {
            start..<scan.end(start..<end) {
                $0 > 0x20 && !">/=\"'".utf8.contains($0)
            }
        }
        self.name = name(range.lowerBound + 1)
        localName = local(self.name)
        var index = self.name.upperBound
        var isClosed = false
        while index < end, scan.bytes[index] != UInt8(ascii: ">") {
            isClosed = scan.bytes[index] == UInt8(ascii: "/")
            let attribute = name(index)
            guard !attribute.isEmpty else {
                index += 1
                continue
            }
            index = attribute.upperBound
            let equals = scan.end(index..<end, while: Mask.isBlank)
            guard scan.has("=", equals, end) else { continue }
            let first = scan.end((equals + 1)..<end, while: Mask.isBlank)
            guard first < end else { break }
            if scan.bytes[first] == UInt8(ascii: "\"") || scan.bytes[first] == UInt8(ascii: "'") {
                let limit = scan.end((first + 1)..<end) { $0 != scan.bytes[first] }
                attributes.append((local(attribute), (first + 1)..<limit))
                index = min(limit + 1, end)
            } else {
                let limit = scan.end(first..<end) { $0 > 0x20 && $0 != UInt8(ascii: ">") }
                attributes.append((local(attribute), first..<limit))
                index = limit
            }
        }
        isOpen = index < end && !isClosed
        self.end = min(index + 1, end)
    }
}
