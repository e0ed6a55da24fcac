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

    /// Number of path segments with a placeholder.
    var templateCount: Int { segments(of: template).filter { $0.contains("{") }.count }

    var statuses: [String] { (value["responses"]?.members ?? [:]).keys.map { $0 } }

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

    func requiredQuery(in root: JSONValue) -> [String] {
        let own = value["parameters"]?.elements ?? []
        return (pathParameters + own).map { JSONSchema.resolved($0, in: root) }
            .filter { $0["in"]?.text == "query" && $0["required"] == .bool(true) }
            .compactMap { $0["name"]?.text }
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

    /// Whether a segment matches. Supports placeholders with a prefix or suffix: `{id}.json`.
    private static func matches(_ given: Substring, _ wanted: Substring) -> Bool {
        guard let open = wanted.firstIndex(of: "{"), let close = wanted.lastIndex(of: "}") else {
            return given == wanted
        }
        let before = wanted[..<open]
        let after = wanted[wanted.index(after: close)...]
        return given.count > before.count + after.count && given.hasPrefix(before)
            && given.hasSuffix(after)
    }
}
