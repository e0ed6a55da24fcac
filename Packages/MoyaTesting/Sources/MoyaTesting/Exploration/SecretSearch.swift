import Foundation

/// Search for a secret in a text, in the forms in which requests and responses write it: raw,
/// percent-encoded, with the slashes of JSON, and in Base64.
struct SecretSearch {
    private let secret: String
    private let forms: [String]

    init(_ secret: String) {
        self.secret = secret
        forms =
            [secret, Self.replacing("/", by: #"\/"#, in: secret)]
            + (0..<3).flatMap { Self.base64(of: secret, after: $0) }
    }

    func finds(in text: String) -> Bool {
        var texts = [text]
        // A URL in the query of another URL is encoded twice.
        for _ in 0..<2 { texts.append(texts[texts.count - 1].removingPercentEscapes) }
        // In a form, a space is a plus sign.
        if secret.utf8.contains(UInt8(ascii: " ")) {
            texts += texts.map { Self.replacing("+", by: " ", in: $0) }
        }
        return texts.contains { text in
            forms.contains { Data(text.utf8).range(of: Data($0.utf8)) != nil }
        }
    }

    /// Works on scalars: a character before a combining mark is part of another `Character`.
    private static func replacing(_ old: String, by new: String, in text: String) -> String {
        text.replacingOccurrences(of: old, with: new, options: .literal)
    }

    /// Base64 and base64url of the secret after `offset` other bytes, such as a user name. Only the
    /// characters that do not depend on the bytes around the secret. Empty if they are fewer than
    /// six, which may occur by chance.
    private static func base64(of secret: String, after offset: Int) -> [String] {
        let bytes = Data(count: offset) + Data(secret.utf8)
        // A character has 6 bits: the first that has no bit of the bytes before, and the last that
        // has no bit of the bytes after.
        let (first, end) = ((offset * 8 + 5) / 6, bytes.count * 8 / 6)
        guard end - first >= 6 else { return [] }
        let text = String(bytes.base64EncodedString().prefix(end).dropFirst(first))
        let urlText = String(text.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
        return text == urlText ? [text] : [text, urlText]
    }
}

extension String {
    /// This text with its percent escapes decoded. Other percent signs are kept.
    fileprivate var removingPercentEscapes: String {
        guard utf8.contains(UInt8(ascii: "%")) else { return self }
        var bytes: [UInt8] = []
        var rest = utf8[...]
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), digits.count == 2, digits.allSatisfy(\.isHexDigit),
                let value = UInt8(digits, radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
