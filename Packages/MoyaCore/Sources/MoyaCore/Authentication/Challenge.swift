import Foundation

/// What a server asks for in a `WWW-Authenticate` field (RFC 9110, section 11.6.1).
struct Challenge: Equatable {
    /// In lower case.
    let scheme: String
    /// By name in lower case. Quotes and escapes are undone.
    var parameters: [String: String] = [:]

    /// The challenges of a field's value, or of several that a comma joins. What is no challenge ends the list.
    static func parse(_ value: String) -> [Challenge] {
        var reader = Reader(value)
        var challenges: [Challenge] = []
        while reader.skipSeparators(), let name = reader.token() {
            if let last = challenges.indices.last, reader.skip("=") {
                // Of two parameters with one name, neither can be believed more: the first stays.
                guard let text = reader.value() else { break }
                challenges[last].parameters[name] = challenges[last].parameters[name] ?? text
            } else {
                challenges.append(Challenge(scheme: name))
                reader.skipToken68()
            }
        }
        return challenges
    }
}

extension Challenge {
    private struct Reader {
        private var rest: Substring.UnicodeScalarView

        init(_ value: String) {
            rest = Substring(value).unicodeScalars
        }

        /// Whether anything follows.
        mutating func skipSeparators() -> Bool {
            rest = rest.drop { " \t,".unicodeScalars.contains($0) }
            return !rest.isEmpty
        }

        private mutating func skipSpace() {
            rest = rest.drop { $0 == " " || $0 == "\t" }
        }

        /// A token (RFC 9110, section 5.6.2), in lower case.
        mutating func token() -> String? {
            let token = rest.prefix { scalar in
                scalar.isASCII && scalar.value > 0x20 && scalar.value < 0x7F
                    && !"\"(),/:;<=>?@[\\]{}".unicodeScalars.contains(scalar)
            }
            rest = rest[token.endIndex...]
            return token.isEmpty ? nil : String(Substring(token)).lowercased()
        }

        /// Passes over `mark`, with space around it, if it comes next.
        mutating func skip(_ mark: Unicode.Scalar) -> Bool {
            let start = rest
            skipSpace()
            guard rest.first == mark else {
                rest = start
                return false
            }
            rest.removeFirst()
            skipSpace()
            return true
        }

        /// A parameter's value: a token or a quoted string (RFC 9110, section 5.6.4).
        mutating func value() -> String? {
            guard rest.first == "\"" else {
                let text = rest.prefix { !" \t,".unicodeScalars.contains($0) }
                rest = rest[text.endIndex...]
                return text.isEmpty ? nil : String(Substring(text))
            }
            rest.removeFirst()
            var text = String.UnicodeScalarView()
            while var scalar = rest.popFirst() {
                if scalar == "\"" { return String(text) }
                if scalar == "\\" {
                    guard let escaped = rest.popFirst() else { return nil }
                    scalar = escaped
                }
                text.append(scalar)
            }
            return nil
        }

        /// What `Negotiate` and its like have in place of parameters (RFC 9110, section 11.2).
        mutating func skipToken68() {
            let start = rest
            skipSpace()
            rest = rest.drop { scalar in
                scalar.isASCII && scalar.properties.isAlphabetic
                    || "0123456789-._~+/".unicodeScalars.contains(scalar)
            }
            rest = rest.drop { $0 == "=" }
            let end = rest
            skipSpace()
            rest = rest.isEmpty || rest.first == "," ? end : start
        }
    }
}
