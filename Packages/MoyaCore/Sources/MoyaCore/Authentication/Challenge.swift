import Foundation

/// An authentication challenge of a `WWW-Authenticate` field (RFC 9110, section 11.6.1).
struct Challenge: Equatable {
    /// The scheme, in lower case.
    let scheme: String
    /// The parameters by lower-case name, without quotes and escapes.
    var parameters: [String: String] = [:]

    /// Parses the value of a field, or of several fields joined with a comma. Invalid text ends the
    /// list.
    static func parse(_ value: String) -> [Challenge] {
        var reader = Reader(value)
        var challenges: [Challenge] = []
        while reader.skipSeparators(), let name = reader.token() {
            if let last = challenges.indices.last, reader.skip("=") {
                // Of parameters with the same name, the first is used.
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

        /// Skips separators. Returns whether text follows.
        mutating func skipSeparators() -> Bool {
            rest = rest.drop { " \t,".unicodeScalars.contains($0) }
            return !rest.isEmpty
        }

        private mutating func skipSpace() {
            rest = rest.drop { $0 == " " || $0 == "\t" }
        }

        /// Reads a token (RFC 9110, section 5.6.2) and returns it in lower case.
        mutating func token() -> String? {
            let token = rest.prefix { scalar in
                scalar.isASCII && scalar.value > 0x20 && scalar.value < 0x7F
                    && !"\"(),/:;<=>?@[\\]{}".unicodeScalars.contains(scalar)
            }
            rest = rest[token.endIndex...]
            return token.isEmpty ? nil : String(Substring(token)).lowercased()
        }

        /// Skips `mark` and white space around it. Returns `false` if another character follows.
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

        /// Reads a parameter's value: a token or a quoted string (RFC 9110, section 5.6.4).
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

        /// Skips a `token68` (RFC 9110, section 11.2), which schemes such as `Negotiate` have
        /// instead of parameters.
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
