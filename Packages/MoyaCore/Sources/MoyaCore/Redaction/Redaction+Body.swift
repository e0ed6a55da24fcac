import Foundation

extension Redaction {
    /// Returns `body` with secrets masked: in forms, including multipart forms, JSON, XML,
    /// server-sent events that contain these formats, and other text, complete or truncated. All
    /// other bytes are unchanged.
    ///
    /// In JSON, values keep their types: secret strings become ``mask``, secret numbers become 0,
    /// and `true`, `false`, `null`, objects and arrays are kept. A `code` or `key` that is a number
    /// is not secret, unless ``queryNames`` contains its name.
    public func redact(body: Data) -> Data {
        guard masksText else { return body }
        if let parts = MultipartMasking(body) {
            return parts.masked { name, content in
                name.map { isSecretPath($0, in: .member) } == true
                    ? Data(Self.mask.utf8) : redact(document: content)
            }
        }
        return EventLines.isEventStream(body)
            ? EventLines.map(body, redact(document:)) : redact(document: body)
    }

    private func redact(document: Data) -> Data {
        let bytes = Array(document)
        // Binary formats have a NUL near the beginning, and contain no names to look for.
        guard !bytes.prefix(1024).contains(0) || String(bytes: bytes, encoding: .utf8) != nil else {
            return document
        }
        let masked = redact(bytes: bytes, depth: 0)
        return masked == bytes ? document : Data(masked)
    }

    /// Returns `text` with secrets masked. JSON, XML and forms are recognized by their beginning.
    public func redact(text: String) -> String { redact(text: text, depth: 0) }

    /// - Parameter depth: Nesting depth of `text` in other texts.
    func redact(text: String, depth: Int) -> String {
        if Self.isAddress(text) { return redact(address: text, depth: depth) }
        if depth < Self.maximumDepth, let plain = Self.percentDecoded(whole: text) {
            let masked = redact(text: plain, depth: depth + 1)
            return masked == plain ? text : Self.percentEncoded(masked)
        }
        return String(decoding: redact(bytes: Array(text.utf8), depth: depth), as: UTF8.self)
    }

    /// Returns whether `text` is a URL, or a relative reference that begins with its path.
    private static func isAddress(_ text: String) -> Bool {
        (text.hasPrefix("/") || text.contains("://"))
            && text.utf8.allSatisfy { $0 > 0x20 && !"\"'<>{}".utf8.contains($0) }
    }

    /// Returns the decoded text if all of `text` is percent-encoded, such as a URL or a form that
    /// was encoded twice.
    private static func percentDecoded(whole text: String) -> String? {
        guard text.utf8.contains(UInt8(ascii: "%")),
            text.unicodeScalars.allSatisfy({ $0 == "%" || $0 == "+" || unreserved.contains($0) })
        else { return nil }
        return text.removingPercentEncoding.flatMap { $0 == text ? nil : $0 }
    }

    func redact(bytes: [UInt8], depth: Int) -> [UInt8] {
        guard masksText else { return bytes }
        // The beginning of a text tells its format.
        var text = bytes[...]
        if text.starts(with: "\u{FEFF}".utf8) { text = text.dropFirst(3) }
        text = text.drop { $0 <= 0x20 }
        if JSONMasking.isJSON(text) { return JSONMasking.masked(bytes, self, depth) }
        if XMLMasking.isXML(text) { return XMLMasking.masked(bytes, self) }
        return Self.isForm(text) ? maskingForm(bytes, depth) : TextMasking.masked(bytes, self)
    }

    /// Returns whether the bytes are a single line that begins with `name=`.
    private static func isForm(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")), equals > bytes.startIndex,
            bytes[..<equals].allSatisfy({ $0 > 0x20 && !":\"'<>{}(),;".utf8.contains($0) })
        else { return false }
        let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
        return bytes[line.endIndex...].allSatisfy { $0 <= 0x20 }
    }

    private func maskingForm(_ bytes: [UInt8], _ depth: Int) -> [UInt8] {
        let end = bytes.count - bytes.reversed().prefix { $0 <= 0x20 }.count
        let form = bytes[..<end]
        if let text = String(bytes: form, encoding: .utf8) {
            return Array(maskingPairs(in: text, depth: depth).utf8) + bytes[end...]
        }
        // Decodes each byte as one character, so that bytes outside ASCII are preserved.
        let text = String(String.UnicodeScalarView(form.map { Unicode.Scalar($0) }))
        let masked = maskingPairs(in: text, depth: depth)
        return masked.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } + bytes[end...]
    }
}

/// The lines of server-sent events, with access to the content of `data` lines.
private enum EventLines {
    private static let field = Array("data:".utf8)

    static func isEventStream(_ body: Data) -> Bool {
        body.split(whereSeparator: isEnd).contains { $0.starts(with: field) }
    }

    static func map(_ body: Data, _ change: (Data) -> Data) -> Data {
        var shown = Data()
        var rest = body[...]
        while !rest.isEmpty {
            let line = rest.prefix { !isEnd($0) }
            shown +=
                line.starts(with: field)
                ? field + change(Data(line.dropFirst(field.count))) : change(Data(line))
            rest = rest[line.endIndex...]
            shown += rest.prefix(1)
            rest = rest.dropFirst()
        }
        return shown
    }

    private static func isEnd(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }
}
