/// An authentication challenge of a `WWW-Authenticate` field (RFC 9110, section 11.6.1).
struct Challenge: Equatable {
    /// The scheme, in lower case.
    let scheme: String
    /// The parameters by lower-case name, without quotes and escapes.
    var parameters: [String: String] = [:]

    /// Parses the value of a field, or of several fields joined with a comma. Invalid text ends the
    /// list.
    static func parse(_ value: String) -> [Challenge] {
        var reader = FieldReader(value)
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

extension FieldReader {
    /// Skips separators. Returns whether text follows.
    fileprivate mutating func skipSeparators() -> Bool {
        skip(anyOf: " \t,")
        return !rest.isEmpty
    }

    /// Reads a token (RFC 9110, section 5.6.2) and returns it in lower case.
    fileprivate mutating func token() -> String? {
        let token = take { scalar in
            scalar.isASCII && scalar.value > 0x20 && scalar.value < 0x7F
                && !"\"(),/:;<=>?@[\\]{}".unicodeScalars.contains(scalar)
        }
        return token.isEmpty ? nil : token.lowercased()
    }

    /// Reads a parameter's value: a token or a quoted string (RFC 9110, section 5.6.4).
    fileprivate mutating func value() -> String? {
        guard rest.first == "\"" else {
            let text = take(upTo: " \t,")
            return text.isEmpty ? nil : text
        }
        let (text, isClosed) = quoted()
        return isClosed ? text : nil
    }

    /// Skips a `token68` (RFC 9110, section 11.2), which schemes such as `Negotiate` have instead
    /// of parameters.
    fileprivate mutating func skipToken68() {
        let start = rest
        skipSpace()
        _ = take { scalar in
            scalar.isASCII && scalar.properties.isAlphabetic
                || "0123456789-._~+/".unicodeScalars.contains(scalar)
        }
        skip(anyOf: "=")
        let end = rest
        skipSpace()
        rest = rest.isEmpty || rest.first == "," ? end : start
    }
}
