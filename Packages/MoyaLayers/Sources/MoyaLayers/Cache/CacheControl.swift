import Foundation
import MoyaCore
import MoyaInternals

/// The directives of `Cache-Control` fields (RFC 9111, section 5.2). The first of several equal
/// directives counts.
struct CacheControl {
    private struct Directive {
        /// In lower case.
        let name: String
        let argument: String?
    }

    // Not a dictionary: most responses have one or two.
    private var directives: [Directive] = []

    init(_ fieldValues: [String]) {
        for value in fieldValues { add(value) }
    }

    private func directive(_ name: String) -> Directive? { directives.first { $0.name == name } }

    func has(_ name: String) -> Bool { directive(name) != nil }

    /// Whether the directive is present without an argument.
    func hasPlain(_ name: String) -> Bool { directive(name).map { $0.argument == nil } == true }

    /// Returns the seconds of the directive `name`, or `nil` if it is absent. An invalid number
    /// counts as 0, so that a response with an invalid `max-age` is stale, as section 4.2.1
    /// encourages.
    func seconds(_ name: String) -> TimeInterval? {
        guard let directive = directive(name) else { return nil }
        return DeltaSeconds.parse(directive.argument ?? "") ?? 0
    }

    // Works on scalars: a mark such as `"` before a combining mark is part of another `Character`.
    private mutating func add(_ text: String) {
        var rest = text.unicodeScalars[...]
        while !rest.isEmpty {
            let name = rest.prefix { $0 != "=" && $0 != "," }
            rest = rest[name.endIndex...]
            var argument: String?
            if rest.first == "=" {
                rest.removeFirst()
                argument = Self.takeArgument(&rest)
            }
            rest = rest.drop { $0 != "," }.dropFirst()
            let plain = Self.trimmed(name).lowercased()
            if !plain.isEmpty { directives.append(Directive(name: plain, argument: argument)) }
        }
    }

    /// Returns `text` without white space at its ends.
    private static func trimmed(_ text: Substring.UnicodeScalarView) -> String {
        func isBlank(_ scalar: Unicode.Scalar) -> Bool {
            scalar == " " || scalar == "\t"
                || !scalar.isASCII && scalar.properties.generalCategory == .spaceSeparator
        }
        var text = text
        while text.first.map(isBlank) == true { text.removeFirst() }
        while text.last.map(isBlank) == true { text.removeLast() }
        return String(text)
    }

    /// Consumes and returns a token or a quoted string.
    private static func takeArgument(_ rest: inout Substring.UnicodeScalarView) -> String {
        guard rest.first == "\"" else {
            let token = rest.prefix { $0 != "," }
            rest = rest[token.endIndex...]
            return trimmed(token)
        }
        var text = String.UnicodeScalarView()
        rest.removeFirst()
        while var scalar = rest.popFirst(), scalar != "\"" {
            if scalar == "\\" {
                guard let escaped = rest.popFirst() else { break }
                scalar = escaped
            }
            text.append(scalar)
        }
        return String(text)
    }
}
