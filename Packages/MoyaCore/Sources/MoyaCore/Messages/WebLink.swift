import Foundation

/// A link to another resource, of a `Link` field (RFC 8288).
public struct WebLink: Sendable, Hashable {
    /// The resource that is linked to, resolved against the URL that answered.
    public let url: URL
    /// How it relates to the one of ``anchor``: `next`, `last`, `https://example.com/rels/chapter`. In lower case.
    public let relations: [String]
    /// The resource that the link comes from: that of the response, unless the field says otherwise.
    public let anchor: URL
    /// Every parameter, `rel` and `anchor` too, by its name in lower case. Of several with one name, the first.
    public let parameters: [String: String]
}

extension WebLink {
    /// The links in the value of a `Link` field, or of several that a comma joins: RFC 8288, appendix B.2 and B.3. What
    /// follows a target that is none is left out.
    static func parse(_ value: String, relativeTo base: URL) -> [WebLink] {
        var reader = LinkReader(value)
        var links: [WebLink] = []
        while let (target, parameters) = reader.link() {
            guard let url = URL(string: target, relativeTo: base)?.absoluteURL else { continue }
            let named = Dictionary(parameters) { first, _ in first }
            let anchor = named["anchor"].flatMap { URL(string: $0, relativeTo: base)?.absoluteURL }
            // An anchor that is no URL leaves open where the link comes from.
            if named["anchor"] != nil, anchor == nil { continue }
            let relations = named["rel"]?.split(whereSeparator: \.isWhitespace) ?? []
            links.append(
                WebLink(
                    url: url, relations: relations.map { $0.lowercased() },
                    anchor: anchor ?? base, parameters: named))
        }
        return links
    }
}

/// Reads the links of a field (RFC 8288, appendix B).
private struct LinkReader {
    private var rest: Substring.UnicodeScalarView

    init(_ value: String) { rest = Substring(value).unicodeScalars }

    /// The next link's target and parameters. `nil` at the end and where no target follows.
    mutating func link() -> (target: String, parameters: [(String, String)])? {
        skip { " \t,".unicodeScalars.contains($0) }
        guard rest.popFirst() == "<" else { return nil }
        let target = take { $0 != ">" }
        guard rest.popFirst() == ">" else { return nil }
        var parameters: [(String, String)] = []
        skipSpace()
        while rest.first == ";" {
            rest.removeFirst()
            if let parameter = parameter() { parameters.append(parameter) }
            skipSpace()
        }
        // Up to the next link, whatever stands there.
        skip { $0 != "," }
        return (target, parameters)
    }

    private mutating func parameter() -> (String, String)? {
        skipSpace()
        let name = take { !" \t=;,".unicodeScalars.contains($0) }.lowercased()
        skipSpace()
        guard rest.first == "=" else { return name.isEmpty ? nil : (name, "") }
        rest.removeFirst()
        skipSpace()
        let value =
            rest.first == "\"" ? quoted() : take { !";,".unicodeScalars.contains($0) }.trimmed
        return name.isEmpty ? nil : (name, value)
    }

    private mutating func quoted() -> String {
        rest.removeFirst()
        var text = String.UnicodeScalarView()
        while let scalar = rest.popFirst(), scalar != "\"" {
            if scalar == "\\" {
                guard let escaped = rest.popFirst() else { break }
                text.append(escaped)
            } else {
                text.append(scalar)
            }
        }
        return String(text)
    }

    private mutating func take(while isWanted: (Unicode.Scalar) -> Bool) -> String {
        let taken = rest.prefix(while: isWanted)
        rest = rest[taken.endIndex...]
        return String(Substring(taken))
    }

    private mutating func skip(while isUnwanted: (Unicode.Scalar) -> Bool) {
        rest = rest.drop(while: isUnwanted)
    }

    private mutating func skipSpace() { skip { $0 == " " || $0 == "\t" } }
}

extension String {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}
