import Foundation

/// One operation of an ``OpenAPIDocument``: a method and a path.
struct OpenAPIOperation: Sendable, CustomStringConvertible {
    let method: String
    let template: String
    private let value: JSONValue
    private let pathParameters: [JSONValue]

    private static let methods = [
        "get", "put", "post", "delete", "options", "head", "patch", "trace",
    ]

    static func all(in root: JSONValue) -> [OpenAPIOperation] {
        (root["paths"]?.members ?? [:]).sorted { $0.key < $1.key }.flatMap { template, item in
            let item = JSONSchema.resolved(item, in: root)
            return methods.compactMap { method in
                item[method].map {
                    OpenAPIOperation(
                        method: method.uppercased(), template: template, value: $0,
                        pathParameters: item["parameters"]?.elements ?? [])
                }
            }
        }
    }

    var description: String { "\(method) \(template)" }

    /// The `operationId`.
    var id: String? { value["operationId"]?.text }

    /// Whether the template is more specific than that of `other`: it has fewer segments with
    /// placeholders, or more text beside them.
    func isMoreSpecific(than other: OpenAPIOperation) -> Bool {
        templateCount == other.templateCount
            ? literalCount > other.literalCount : templateCount < other.templateCount
    }

    /// Number of path segments with a placeholder.
    private var templateCount: Int { segments(of: template).filter { $0.contains("{") }.count }

    /// Number of characters outside of placeholders.
    private var literalCount: Int {
        segments(of: template).reduce(0) { $0 + Self.literals(in: $1).joined().count }
    }

    var statuses: [String] { (value["responses"]?.members ?? [:]).keys.map { $0 } }

    /// The lowest documented status from 200 to 299, or else 200 if a range or `default` includes
    /// it, or else the lowest status.
    var statusOfSuccess: Int {
        let known = statuses.compactMap { Int($0) }.sorted()
        if let success = known.first(where: (200..<300).contains) { return success }
        let includes = ["2XX", "2xx", "default"].contains { statuses.contains($0) }
        return includes ? 200 : known.first ?? 200
    }

    /// Whether `path` matches the template, after one of the prefixes `bases`.
    func matches(_ path: String, below bases: [String]) -> Bool {
        bases.contains { base in
            guard path.hasPrefix(base) else { return false }
            let given = segments(of: String(path.dropFirst(base.count)))
            let wanted = segments(of: template)
            return given.count == wanted.count
                && zip(given, wanted).allSatisfy { Self.matches($0, $1) }
        }
    }

    /// Returns the documented response for `status`: an exact match, its range such as `2XX`, or
    /// `default`.
    func answer(for status: Int, in root: JSONValue) -> JSONValue? {
        let responses = value["responses"]
        let found =
            responses?["\(status)"] ?? responses?["\(status / 100)XX"]
            ?? responses?["\(status / 100)xx"] ?? responses?["default"]
        return found.map { JSONSchema.resolved($0, in: root) }
    }

    /// Returns the parameters of the path and the operation, of which the operation's take
    /// precedence.
    func parameters(in root: JSONValue) -> [OpenAPIParameter] {
        var known: [OpenAPIParameter] = []
        for described in (value["parameters"]?.elements ?? []) + pathParameters {
            guard let parameter = OpenAPIParameter(JSONSchema.resolved(described, in: root)),
                !known.contains(where: {
                    $0.name == parameter.name && $0.location == parameter.location
                })
            else { continue }
            known.append(parameter)
        }
        return known
    }

    /// Returns the documented body of requests. `nil` if the document has none.
    func requestBody(in root: JSONValue) -> JSONValue? {
        value["requestBody"].map { JSONSchema.resolved($0, in: root) }
    }

    /// Returns the decoded values of the placeholders in `path`. Leaves out segments with several
    /// placeholders.
    func placeholders(in path: String, below bases: [String]) -> [String: String] {
        guard let base = bases.first(where: { matches(path, below: [$0]) }) else { return [:] }
        var values: [String: String] = [:]
        let given = segments(of: String(path.dropFirst(base.count)))
        for (text, wanted) in zip(given, segments(of: template)) {
            guard let open = wanted.firstIndex(of: "{"), let close = wanted.lastIndex(of: "}")
            else { continue }
            let name = wanted[wanted.index(after: open)..<close]
            guard !name.contains("}") else { continue }
            let value = text.dropFirst(wanted[..<open].count)
                .dropLast(wanted[close...].count - 1)
            values[String(name)] = value.removingPercentEncoding ?? String(value)
        }
        return values
    }

    func requiredQuery(in root: JSONValue) -> [String] {
        parameters(in: root).filter { $0.location == "query" && $0.isRequired }.map(\.name)
    }

    /// Returns the documented media type that equals `wanted`, or else a media range that includes
    /// it (RFC 9110, section 12.5.1).
    ///
    /// - Parameters:
    ///   - wanted: A media type without parameters, in lower case. `nil` returns a JSON media type,
    ///     or else the first media type in alphabetical order.
    ///   - known: The documented media types.
    static func mediaType(
        _ wanted: String?, among known: some Collection<String>
    ) -> String? {
        let sorted = known.sorted()
        guard let wanted else { return sorted.first { $0.isJSON } ?? sorted.first }
        let parts = wanted.split(separator: "/", maxSplits: 1)
        let ranges = parts.count == 2 ? [wanted, "\(parts[0])/*", "*/*"] : []
        return ranges.lazy.compactMap { range in sorted.first { $0.mediaType == range } }.first
    }

    private func segments(of path: String) -> [Substring] {
        // Keeps a trailing empty segment: `/a/` and `/a` are different paths.
        path.drop { $0 == "/" }.split(separator: "/", omittingEmptySubsequences: false)
    }

    /// Returns the texts before, between and after the placeholders of a segment. One text without
    /// a placeholder.
    private static func literals(in segment: Substring) -> [Substring] {
        var literals: [Substring] = []
        var rest = segment
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            literals.append(rest[..<open])
            rest = rest[rest.index(after: close)...]
        }
        return literals + [rest]
    }

    /// Whether a segment matches. Supports text beside placeholders: `{id}.{format}`. A placeholder
    /// stands for at least one character.
    private static func matches(_ given: Substring, _ wanted: Substring) -> Bool {
        var literals = Self.literals(in: wanted)
        guard let last = literals.popLast(), !literals.isEmpty else { return given == wanted }
        guard given.hasPrefix(literals[0]) else { return false }
        var rest = given.dropFirst(literals[0].count)
        for literal in literals.dropFirst() {
            guard let found = rest.dropFirst().range(of: literal) else { return false }
            rest = rest[found.upperBound...]
        }
        return rest.count > last.count && rest.hasSuffix(last)
    }
}
