import Foundation

/// Masks secret values in XML and HTML, complete or truncated, and keeps all other bytes. Masks the
/// content of elements and attributes with secret names, `<add key="password" value="…"/>`, the
/// value after a secret `<key>` of a property list, and secrets in other text.
struct XMLMasking {
    private let bytes: [UInt8]
    private let redaction: Redaction
    private var index = 0
    private var output: [UInt8] = []
    /// Whether the last `<key>` of a property list is the name of a secret.
    private var isValueSecret = false

    /// Returns whether `text` begins with a tag, a comment or a declaration. A URL in angle
    /// brackets does not count.
    static func isXML(_ text: ArraySlice<UInt8>) -> Bool {
        let rest = text.dropFirst()
        guard text.first == UInt8(ascii: "<"), let first = rest.first else { return false }
        if first == UInt8(ascii: "!") || rest.starts(with: "?xml".utf8) { return true }
        let end = rest.drop { $0 > 0x20 && !"=>/?\"".utf8.contains($0) }
        guard end.startIndex > rest.startIndex else { return false }
        guard let next = end.first else { return true }
        return next <= 0x20 || next == UInt8(ascii: ">") || end.starts(with: "/>".utf8)
    }

    static func masked(_ bytes: [UInt8], _ redaction: Redaction) -> [UInt8] {
        var masking = XMLMasking(bytes: bytes, redaction: redaction)
        masking.output.reserveCapacity(bytes.count)
        while masking.index < bytes.count { masking.step() }
        return masking.output
    }

    private mutating func step() {
        guard bytes[index] == UInt8(ascii: "<") else {
            return takeText(to: find("<", from: index) ?? bytes.count)
        }
        if has("<!--") { return takeText(to: end(of: "-->")) }
        if has("<![CDATA[") { return takeCharacterData() }
        if has("</") || has("<!") || has("<?") { return take(to: end(of: ">")) }
        takeElement()
    }

    private mutating func take(to end: Int) {
        output += bytes[index..<end]
        index = end
    }

    private mutating func takeText(to end: Int) {
        output += TextMasking.masked(Array(bytes[index..<end]), redaction)
        index = end
    }

    /// Copies a CDATA section. Its content may itself be XML.
    private mutating func takeCharacterData() {
        let start = index + "<![CDATA[".utf8.count
        let isMarkup = Self.isXML(bytes[start...].drop { $0 <= 0x20 })
        if isMarkup { take(to: start) } else { takeText(to: end(of: "]]>")) }
    }

    private func has(_ text: String) -> Bool { bytes[index...].starts(with: text.utf8) }

    private func find(_ text: String, from start: Int) -> Int? {
        let wanted = Array(text.utf8)
        return bytes[start...].indices.first {
            bytes[$0] == wanted[0] && bytes[$0...].starts(with: wanted)
        }
    }

    private func end(of text: String) -> Int {
        find(text, from: index).map { $0 + text.utf8.count } ?? bytes.count
    }
}

// Elements.
extension XMLMasking {
    private mutating func takeElement() {
        let tag = XMLTag(bytes, from: index)
        take(tag)
        guard tag.isOpen else { return }
        let name = tag.localName
        if redaction.isSecret(name, in: .markup) { return maskContent(of: tag) }
        let next = find("<", from: index) ?? bytes.count
        let isLeaf = bytes[next...].starts(with: "</\(tag.qualifiedName)".utf8)
        if name == "key", isLeaf {
            let text = String(decoding: bytes[index..<next], as: UTF8.self)
            isValueSecret = redaction.isSecret(text, in: .member)
            return take(to: next)
        }
        let isSecret = isValueSecret || tag.namingAttributeValues.contains(where: isSecretName)
        isValueSecret = false
        if isSecret, isLeaf || tag.namingAttributeValues.isEmpty { maskContent(of: tag) }
    }

    private func isSecretName(_ name: String) -> Bool { redaction.isSecret(name, in: .parameter) }

    /// Copies a tag with the secrets in its attributes masked.
    private mutating func take(_ tag: XMLTag) {
        let isNamed = tag.namingAttributeValues.contains(where: isSecretName)
        for attribute in tag.attributes {
            take(to: attribute.value.lowerBound)
            let isSecret =
                redaction.isSecret(attribute.name, in: .markup)
                || isNamed && ["content", "val", "value"].contains(attribute.name.lowercased())
            if isSecret, !attribute.value.isEmpty {
                output += Array(Redaction.mask.utf8)
                index = attribute.value.upperBound
            } else {
                takeText(to: attribute.value.upperBound)
            }
        }
        take(to: tag.end)
    }

    /// Masks the content up to the element's end tag, or up to the end of the text.
    private mutating func maskContent(of tag: XMLTag) {
        var (end, depth) = (index, 1)
        while let next = find("<", from: end) {
            end = next
            if bytes[next...].starts(with: "</\(tag.qualifiedName)".utf8) {
                depth -= 1
                if depth == 0 { break }
            } else if bytes[next...].starts(with: "<\(tag.qualifiedName)".utf8) {
                let inner = XMLTag(bytes, from: next)
                if inner.qualifiedName == tag.qualifiedName, inner.isOpen { depth += 1 }
                end = inner.end
                continue
            }
            end += 1
        }
        if depth > 0 { end = bytes.count }
        guard bytes[index..<end].contains(where: { $0 > 0x20 }) else { return take(to: end) }
        output += Array(Redaction.mask.utf8)
        index = end
    }
}

/// A start tag, complete or truncated.
private struct XMLTag {
    /// The name with its namespace prefix.
    let qualifiedName: String
    /// The names, and the ranges of the values without quotes.
    private(set) var attributes: [(name: String, value: Range<Int>)] = []
    /// Index after the last byte.
    private(set) var end: Int
    /// Whether content follows.
    private(set) var isOpen = false
    /// Values of the attributes that name the element: `password` in `<setting name="password">`.
    private(set) var namingAttributeValues: [String] = []

    /// The name without its namespace prefix.
    var localName: String {
        qualifiedName.split(separator: ":").last.map(String.init) ?? qualifiedName
    }

    init(_ bytes: [UInt8], from start: Int) {
        var index = start + 1
        func name() -> String {
            let first = index
            while index < bytes.count, !Self.isEnd(bytes[index]) { index += 1 }
            return String(decoding: bytes[first..<index], as: UTF8.self)
        }
        qualifiedName = name()
        var isClosed = false
        while index < bytes.count, bytes[index] != UInt8(ascii: ">") {
            isClosed = bytes[index] == UInt8(ascii: "/")
            guard !Self.isEnd(bytes[index]) else {
                index += 1
                continue
            }
            let attribute = name()
            guard let value = Self.value(bytes, from: index) else { continue }
            let local = attribute.split(separator: ":").last ?? ""
            attributes.append((String(local), value))
            if ["key", "n", "name", "property"].contains(attribute.lowercased()) {
                namingAttributeValues.append(String(decoding: bytes[value], as: UTF8.self))
            }
            index = value.upperBound
            if index < bytes.count, Self.isQuote(bytes[index]) { index += 1 }
        }
        isOpen = index < bytes.count && !isClosed
        end = min(index + 1, bytes.count)
    }

    /// Returns the range of the value of an attribute whose name ends before `start`.
    private static func value(_ bytes: [UInt8], from start: Int) -> Range<Int>? {
        let equals = bytes[start...].firstIndex { $0 > 0x20 }
        guard let equals, bytes[equals] == UInt8(ascii: "=") else { return nil }
        guard let first = bytes[(equals + 1)...].firstIndex(where: { $0 > 0x20 }) else {
            return nil
        }
        if isQuote(bytes[first]) {
            let end = bytes[(first + 1)...].firstIndex(of: bytes[first]) ?? bytes.count
            return (first + 1)..<end
        }
        let end = bytes[first...].firstIndex { $0 <= 0x20 || $0 == UInt8(ascii: ">") }
        return first..<(end ?? bytes.count)
    }

    private static func isQuote(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
    }

    private static func isEnd(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/")
            || byte == UInt8(ascii: "=") || isQuote(byte)
    }
}
