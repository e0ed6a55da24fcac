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

    static func masked(_ value: String) -> String {
        var shown = ""
        var rest = value[...]
        // A word after the scheme that is not a parameter's name is `token68` data, and is masked.
        var isAfterScheme = false
        while let first = rest.first {
            guard isToken(first) else {
                shown.append(rest.removeFirst())
                if first == "," { isAfterScheme = false }
                continue
            }
            let word = rest.prefix(while: isToken)
            rest = rest.dropFirst(word.count)
            let padding = rest.prefix { $0 == "=" }
            let after = rest.dropFirst(padding.count).first
            let isParameter = padding.count == 1 && after.map { $0 == "\"" || isToken($0) } == true
            if isParameter {
                rest.removeFirst()
                let argument = takeArgument(&rest)
                let isVisible = visible.contains(word.lowercased())
                shown += "\(word)=\(isVisible ? argument : Redaction.mask)"
            } else {
                rest = rest.dropFirst(padding.count)
                shown += isAfterScheme ? Redaction.mask : String(word) + String(padding)
            }
            isAfterScheme = true
        }
        return shown
    }

    private static func isToken(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || "-._~+/*!#$%&^`|".contains(character)
    }

    /// Returns a token, or a quoted string including its quotes.
    private static func takeArgument(_ rest: inout Substring) -> String {
        guard rest.first == "\"" else {
            let token = rest.prefix { $0 != "," && !$0.isWhitespace }
            rest = rest.dropFirst(token.count)
            return String(token)
        }
        var text = String(rest.removeFirst())
        while let character = rest.popFirst() {
            text.append(character)
            if character == "\\", let next = rest.popFirst() {
                text.append(next)
            } else if character == "\"" {
                break
            }
        }
        return text
    }
}
