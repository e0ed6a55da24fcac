/// Reads the parts of a field value: space, tokens and quoted strings (RFC 9110, section 5.6).
struct FieldReader {
    var rest: Substring.UnicodeScalarView

    init(_ value: String) { rest = Substring(value).unicodeScalars }

    mutating func take(while isWanted: (Unicode.Scalar) -> Bool) -> String {
        let taken = rest.prefix(while: isWanted)
        rest = rest[taken.endIndex...]
        return String(Substring(taken))
    }

    /// Reads up to one of `marks`, or to the end.
    mutating func take(upTo marks: String) -> String {
        take { !marks.unicodeScalars.contains($0) }
    }

    mutating func skip(anyOf marks: String) {
        rest = rest.drop { marks.unicodeScalars.contains($0) }
    }

    mutating func skipSpace() { skip(anyOf: " \t") }

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

    /// Reads the quoted string that begins here, or the rest of the value if its closing quote is
    /// missing.
    mutating func quoted() -> (text: String, isClosed: Bool) {
        rest.removeFirst()
        var text = String.UnicodeScalarView()
        while var scalar = rest.popFirst() {
            if scalar == "\"" { return (String(text), true) }
            if scalar == "\\" {
                guard let escaped = rest.popFirst() else { break }
                scalar = escaped
            }
            text.append(scalar)
        }
        return (String(text), false)
    }
}
