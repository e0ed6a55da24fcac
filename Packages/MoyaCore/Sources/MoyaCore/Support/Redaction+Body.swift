import Foundation

extension Redaction {
    /// `body` with the values of secret fields masked, where it is a form, multipart too, JSON, or server-sent
    /// events with either in them, whole or cut off. Others are left as they are.
    public func redact(body: Data) -> Data {
        guard !queryNames.isEmpty else { return body }
        if let parts = MultipartMasking(body) {
            return parts.masked { name, content in
                name.map(isSecretPath) == true
                    ? Data(Self.mask.utf8) : redact(document: content)
            }
        }
        return EventLines.isEventStream(body)
            ? EventLines.map(body, redact(document:)) : redact(document: body)
    }

    private func redact(document: Data) -> Data {
        if JSONMasking.isJSON(document) {
            var masking = JSONMasking(bytes: Array(document), isSecret: isSecret)
            return Data(masking.masked())
        }
        guard let text = String(data: document, encoding: .utf8) else { return document }
        return Data(maskingPairs(in: text).utf8)
    }
}

/// The lines of server-sent events, and what those say that carry data.
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
                line.starts(with: field) ? field + change(Data(line.dropFirst(field.count))) : line
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

/// Masks values in the text of JSON and keeps the rest byte by byte. Never recurses, and takes what is no JSON as
/// it comes: logs show what was sent, not what should have been.
private struct JSONMasking {
    let bytes: [UInt8]
    let isSecret: (String) -> Bool
    private var index = 0
    private var output: [UInt8] = []

    init(bytes: [UInt8], isSecret: @escaping (String) -> Bool) {
        self.bytes = bytes
        self.isSecret = isSecret
    }

    /// Whether `body` begins as JSON does, after a byte order mark or what servers put before it so that no
    /// script can run it.
    static func isJSON(_ body: Data) -> Bool {
        var rest = body[...]
        for prefix in ["\u{FEFF}", ")]}'", ",", "while(1);", "for(;;);", "for (;;);"] {
            rest = rest.drop(while: isSpace)
            if rest.starts(with: prefix.utf8) { rest = rest.dropFirst(prefix.utf8.count) }
        }
        switch rest.first(where: { !isSpace($0) }) {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""): return true
        default: return false
        }
    }

    mutating func masked() -> [UInt8] {
        output.reserveCapacity(bytes.count)
        while index < bytes.count {
            let start = index
            guard bytes[index] == UInt8(ascii: "\"") else {
                output.append(bytes[index])
                index += 1
                continue
            }
            skipString()
            let name = bytes[start..<index]
            if let value = startOfValue(), isSecret(Self.text(of: name)) {
                output += bytes[start..<value]
                output += Array("\"\(Redaction.mask)\"".utf8)
                index = value
                skipValue()
            } else {
                output += name
            }
        }
        return output
    }

    /// Where the value of the name that ends here begins. `nil` where it was no name.
    private func startOfValue() -> Int? {
        guard let colon = afterSpace(index), bytes[colon] == UInt8(ascii: ":") else { return nil }
        return afterSpace(colon + 1) ?? bytes.count
    }

    private func afterSpace(_ start: Int) -> Int? {
        bytes[start...].firstIndex { !Self.isSpace($0) }
    }

    /// Moves past the string that begins here.
    private mutating func skipString() {
        index += 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        index = min(index + 1, bytes.count)
    }

    /// Moves past the value that begins here, whatever is in it.
    private mutating func skipValue() {
        var depth = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                skipString()
                if depth == 0 { return }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                // That of what the value is in.
                if depth == 0 { return }
                depth -= 1
                if depth == 0 {
                    index += 1
                    return
                }
            case UInt8(ascii: ","), UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"),
                UInt8(ascii: "\t"):
                if depth == 0 { return }
            default: break
            }
            index += 1
        }
    }

    /// The text of a quoted name, escapes resolved.
    private static func text(of quoted: ArraySlice<UInt8>) -> String {
        if quoted.contains(UInt8(ascii: "\\")),
            let text = try? JSONDecoder().decode(String.self, from: Data(quoted))
        {
            return text
        }
        return String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self)
    }

    static func isSpace(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): true
        default: false
        }
    }
}
