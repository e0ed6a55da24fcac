/// Header field value with parameters, such as `form-data; name="a"` (RFC 9110, section 5.6.6).
struct HeaderParameters {
    /// Escaping of quoted values.
    enum Quoting {
        /// A backslash escapes the next character (RFC 9110, section 5.6.4).
        case standard
        /// Escaping of browsers: `%22`, `%0D` and `%0A` stand for characters, and a backslash is
        /// literal. A backslash before a quotation mark inside the value still escapes it, for
        /// clients that follow RFC 9110.
        case form
    }

    /// Value before the parameters, in lower case.
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
            // Of duplicate parameters, the first counts. Filters between client and server check
            // the first one, so using another would let unchecked names pass.
            let key = Self.trim(name).lowercased()
            if parameters[key] == nil { parameters[key] = value }
            rest = rest.drop { $0 != ";" }
        }
        self.parameters = parameters
    }

    /// Returns the parameter with the given lower-case name.
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
