/// A header field's value with parameters, such as `form-data; name="a"` (RFC 9110, section 5.6.6).
struct HeaderParameters {
    /// How quoted values are written.
    enum Quoting {
        /// A backslash takes the meaning from any character (RFC 9110, section 5.6.4).
        case standard
        /// As browsers write names of forms: `%22`, `%0D` and `%0A` stand for characters, a backslash for itself. One
        /// before a quote within the value still takes its meaning, for those who do not write like browsers.
        case form
    }

    /// What comes before the parameters, in lower case.
    let value: String
    private let parameters: [String: String]

    init(_ field: String, quoting: Quoting) {
        var rest = field.unicodeScalars[...]
        value = Self.trim(rest.prefix { $0 != ";" }).lowercased()
        rest = rest.drop { $0 != ";" }
        var parameters: [String: String] = [:]
        while rest.first == ";" {
            rest = rest.dropFirst()
            let name = rest.prefix { $0 != "=" && $0 != ";" }
            rest = rest[name.endIndex...]
            guard rest.first == "=" else { continue }
            rest = rest.dropFirst().drop(while: Self.isSpace)
            let value = Self.takeValue(&rest, quoting)
            // The first of several with one name. Filters on the way look at that one: to take another would let
            // names pass that they have not seen.
            let key = Self.trim(name).lowercased()
            if parameters[key] == nil { parameters[key] = value }
            rest = rest.drop { $0 != ";" }
        }
        self.parameters = parameters
    }

    /// The parameter of this name, in lower case.
    subscript(name: String) -> String? { parameters[name] }

    private static func takeValue(
        _ rest: inout Substring.UnicodeScalarView, _ quoting: Quoting
    ) -> String {
        guard rest.first == "\"" else {
            let value = rest.prefix { $0 != ";" }
            rest = rest[value.endIndex...]
            return trim(value)
        }
        rest = rest.dropFirst()
        var value = String.UnicodeScalarView()
        while let scalar = rest.popFirst(), scalar != "\"" {
            if scalar == "\\", let next = rest.first, isEscape(next, before: rest, quoting) {
                value.append(next)
                rest = rest.dropFirst()
            } else {
                value.append(scalar)
            }
        }
        return quoting == .form ? FormEscaping.unescape(String(value)) : String(value)
    }

    private static func isEscape(
        _ scalar: Unicode.Scalar, before rest: Substring.UnicodeScalarView, _ quoting: Quoting
    ) -> Bool {
        guard quoting == .form else { return true }
        guard scalar == "\"" else { return false }
        let after = rest.dropFirst().drop(while: isSpace).first
        return after != nil && after != ";"
    }

    private static func trim(_ text: Substring.UnicodeScalarView) -> String {
        let start = text.drop(while: isSpace)
        let end = start.lastIndex { !isSpace($0) }
        return end.map { String(String.UnicodeScalarView(start[...$0])) } ?? ""
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\t"
    }
}
