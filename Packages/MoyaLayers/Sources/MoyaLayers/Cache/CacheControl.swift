import Foundation
import MoyaCore
import MoyaInternals

/// The directives of `Cache-Control` fields (RFC 9111, section 5.2). The first of several equal
/// directives counts.
struct CacheControl {
    private var directives: [String: String?] = [:]

    init(_ fieldValues: [String]) {
        for value in fieldValues {
            for (name, argument) in Self.parse(value) where directives[name] == nil {
                directives.updateValue(argument, forKey: name)
            }
        }
    }

    func has(_ name: String) -> Bool { directives[name] != nil }

    /// Whether the directive is present without an argument.
    func hasPlain(_ name: String) -> Bool { directives[name] == .some(nil) }

    /// Returns the seconds of the directive `name`, or `nil` if it is absent. An invalid number
    /// counts as 0, so that a response with an invalid `max-age` is stale, as section 4.2.1
    /// encourages.
    func seconds(_ name: String) -> TimeInterval? {
        guard let argument = directives[name] else { return nil }
        return DeltaSeconds.parse(argument ?? "") ?? 0
    }

    // Works on scalars: a mark such as `"` before a combining mark is part of another `Character`.
    private static func parse(_ text: String) -> [(String, String?)] {
        var found: [(String, String?)] = []
        var rest = text.unicodeScalars[...]
        while !rest.isEmpty {
            let name = rest.prefix { $0 != "=" && $0 != "," }
            rest = rest[name.endIndex...]
            var argument: String?
            if rest.first == "=" {
                rest.removeFirst()
                argument = takeArgument(&rest)
            }
            rest = rest.drop { $0 != "," }.dropFirst()
            let plain = String(name).trimmingCharacters(in: .whitespaces).lowercased()
            if !plain.isEmpty { found.append((plain, argument)) }
        }
        return found
    }

    /// Consumes and returns a token or a quoted string.
    private static func takeArgument(_ rest: inout Substring.UnicodeScalarView) -> String {
        guard rest.first == "\"" else {
            let token = rest.prefix { $0 != "," }
            rest = rest[token.endIndex...]
            return String(token).trimmingCharacters(in: .whitespaces)
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
