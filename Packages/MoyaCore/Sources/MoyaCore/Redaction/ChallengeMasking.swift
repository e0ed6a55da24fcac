/// Masks an authentication challenge (RFC 9110, section 11.3), except the parameters that a client
/// needs to respond, so that a log is readable and a recorded response can be replayed.
enum ChallengeMasking {
    /// Names of fields with challenges, in lower case.
    static let fieldNames: Set = ["proxy-authenticate", "www-authenticate"]

    /// Challenge parameters that contain no secret, in lower case.
    private static let visible: Set = [
        "algorithm", "authorization_uri", "charset", "domain", "error", "error_description",
        "error_uri", "max_age", "qop", "realm", "resource_metadata", "scope", "service", "stale",
        "userhash",
    ]

    // Works on scalars: a mark such as `"` before a combining mark is part of another `Character`.
    static func masked(_ value: String) -> String {
        var shown = ""
        var rest = value.unicodeScalars[...]
        // A word after the scheme that is not a parameter's name is `token68` data, and is masked.
        var isAfterScheme = false
        while let first = rest.first {
            guard isToken(first) else {
                shown.unicodeScalars.append(rest.removeFirst())
                if first == "," { isAfterScheme = false }
                continue
            }
            let word = rest.prefix(while: isToken)
            rest = rest[word.endIndex...]
            let padding = rest.prefix { $0 == "=" }
            let after = rest[padding.endIndex...].first
            let isParameter = padding.count == 1 && after.map { $0 == "\"" || isToken($0) } == true
            if isParameter {
                rest.removeFirst()
                let argument = takeArgument(&rest)
                let isVisible = visible.contains(String(word).lowercased())
                shown += "\(String(word))=\(isVisible ? argument : Redaction.mask)"
            } else {
                rest = rest[padding.endIndex...]
                shown += isAfterScheme ? Redaction.mask : String(word) + String(padding)
            }
            isAfterScheme = true
        }
        return shown
    }

    private static func isToken(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            || "-._~+/*!#$%&^`|".unicodeScalars.contains(scalar)
    }

    /// Returns a token, or a quoted string including its quotes.
    private static func takeArgument(_ rest: inout Substring.UnicodeScalarView) -> String {
        guard rest.first == "\"" else {
            let token = rest.prefix { $0 != "," && !$0.properties.isWhitespace }
            rest = rest[token.endIndex...]
            return String(token)
        }
        var text = String.UnicodeScalarView([rest.removeFirst()])
        while let scalar = rest.popFirst() {
            text.append(scalar)
            if scalar == "\\", let next = rest.popFirst() {
                text.append(next)
            } else if scalar == "\"" {
                break
            }
        }
        return String(text)
    }
}
