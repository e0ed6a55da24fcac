/// Masks what a challenge says (RFC 9110, section 11.3) apart from what a client answers by, so that it can be read, and
/// answered where it is replayed.
enum ChallengeMasking {
    /// In lower case.
    static let fieldNames: Set = ["proxy-authenticate", "www-authenticate"]

    /// Parameters of challenges that hold no secret, in lower case.
    private static let visible: Set = [
        "algorithm", "authorization_uri", "charset", "domain", "error", "error_description",
        "error_uri", "max_age",
        "qop", "realm", "resource_metadata", "scope", "service", "stale", "userhash",
    ]

    static func masked(_ value: String) -> String {
        var shown = ""
        var rest = value[...]
        // The words of a scheme, and the names of parameters.
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

    /// A token or a quoted string, in its quotes.
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
