import Foundation
import MoyaInternals

/// A link of a `Link` field (RFC 8288).
public struct WebLink: Sendable, Hashable {
    /// The link's target, resolved against the URL of the response.
    public let url: URL
    /// The relations of the target to ``anchor``, in lower case: `next`, `last`,
    /// `https://example.com/rels/chapter`.
    public let relations: [String]
    /// The link's context: the URL of the response unless the link has an `anchor` parameter.
    public let anchor: URL
    /// The link's parameters, including `rel` and `anchor`, by lower-case name. Of parameters with
    /// the same name, the first.
    public let parameters: [String: String]
}

extension WebLink {
    /// Parses the value of a `Link` field, or of several fields joined with a comma (RFC 8288,
    /// appendix B.2 and B.3). Parsing ends at text without a target in
    /// angle brackets.
    static func parse(_ value: String, relativeTo base: URL) -> [WebLink] {
        var reader = FieldReader(value)
        var links: [WebLink] = []
        while let (target, parameters) = reader.link() {
            guard let url = URLReference.resolve(target, relativeTo: base) else { continue }
            let named = Dictionary(parameters) { first, _ in first }
            let anchor = named["anchor"].flatMap { URLReference.resolve($0, relativeTo: base) }
            // With an invalid anchor, the link's context is unknown.
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

// Parser of `Link` fields (RFC 8288, appendix B).
extension FieldReader {
    /// Returns the next link's target and parameters, or `nil` at the end or if no target follows.
    fileprivate mutating func link() -> (target: String, parameters: [(String, String)])? {
        skip(anyOf: " \t,")
        guard rest.popFirst() == "<" else { return nil }
        let target = take(upTo: ">")
        guard rest.popFirst() == ">" else { return nil }
        var parameters: [(String, String)] = []
        while skip(";") {
            if let parameter = parameter() { parameters.append(parameter) }
        }
        // Skips invalid text before the next link.
        _ = take(upTo: ",")
        return (target, parameters)
    }

    private mutating func parameter() -> (String, String)? {
        let name = take(upTo: " \t=;,").lowercased()
        guard skip("=") else { return name.isEmpty ? nil : (name, "") }
        let value =
            rest.first == "\""
            ? quoted().text
            : take(upTo: ";,").trimmingCharacters(in: .whitespaces)
        return name.isEmpty ? nil : (name, value)
    }
}
