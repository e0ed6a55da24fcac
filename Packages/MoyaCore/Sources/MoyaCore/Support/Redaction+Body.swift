import Foundation

extension Redaction {
    /// `body` with the values of secret fields masked, where it is a form or JSON, whole or cut off. Others
    /// are left as they are.
    public func redact(body: Data) -> Data {
        guard !queryNames.isEmpty else { return body }
        switch body.first(where: { !JSONMasking.isSpace($0) }) {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            var masking = JSONMasking(bytes: Array(body), isSecret: isSecret)
            return Data(masking.masked())
        default:
            guard let text = String(data: body, encoding: .utf8) else { return body }
            return Data(maskingPairs(in: text).utf8)
        }
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
