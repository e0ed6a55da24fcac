import Foundation

/// Validates JSON against the supported part of JSON Schema.
struct JSONSchema {
    /// Whether the value is part of a request or of a response.
    enum Direction {
        case request
        case response

        /// Whether members with this schema are not part of the message: read-only members of
        /// requests, and write-only members of responses.
        func excludes(_ schema: JSONValue) -> Bool {
            schema[self == .request ? "readOnly" : "writeOnly"] == .bool(true)
        }
    }

    private let schema: JSONValue
    private let root: JSONValue
    private let direction: Direction
    private let visits = SchemaVisits()

    /// Maximum nesting depth of values, and maximum length of a chain of references.
    private static let depthLimit = 100

    init(_ schema: JSONValue, in root: JSONValue, direction: Direction) {
        self.schema = schema
        self.root = root
        self.direction = direction
    }

    /// Returns the differences between `value` and the schema, as sentences that contain the path.
    ///
    /// - Parameter place: The path of `value`. Empty for the body of a response.
    func problems(with value: JSONValue, at place: String = "") -> [String] {
        visits.forget()
        return problems(schema, value, place, 0)
    }

    /// Returns the types that `schema` allows. Empty if it does not say so.
    static func types(of schema: JSONValue) -> [String] {
        schema["type"]?.text.map { [$0] } ?? schema["type"]?.elements?.compactMap(\.text) ?? []
    }

    /// Returns the target of a reference within the document. Returns `value` itself if it is not
    /// such a reference.
    static func resolved(_ value: JSONValue, in root: JSONValue) -> JSONValue {
        var value = value
        for _ in 0..<depthLimit {
            guard let reference = value["$ref"]?.text, reference.hasPrefix("#"),
                let target = target(of: reference, in: root)
            else { return value }
            value = target
        }
        return value
    }

    static func target(of reference: String, in root: JSONValue) -> JSONValue? {
        // JSON Pointer (RFC 6901) in a URI fragment.
        let names = reference.dropFirst().split(separator: "/").map { name in
            (name.removingPercentEncoding ?? String(name))
                .replacingOccurrences(of: "~1", with: "/", options: .literal)
                .replacingOccurrences(of: "~0", with: "~", options: .literal)
        }
        return names.reduce(root as JSONValue?) { value, name in
            value?[name]
                ?? Int(name).flatMap { index in
                    value?.elements.flatMap { $0.indices.contains(index) ? $0[index] : nil }
                }
        }
    }

    // MARK: One value

    private func problems(
        _ schema: JSONValue, _ value: JSONValue, _ path: String, _ depth: Int
    ) -> [String] {
        guard depth < Self.depthLimit else { return [] }
        guard let reference = schema["$ref"]?.text else {
            return ownProblems(schema, value, path, depth)
        }
        return visits.visit(reference, value, path) {
            ownProblems(schema, value, path, depth)
        } again: {
            [at(path, "has a schema that refers to itself: \(reference)")]
        }
    }

    private func ownProblems(
        _ schema: JSONValue, _ value: JSONValue, _ path: String, _ depth: Int
    ) -> [String] {
        if schema == .bool(false) { return [at(path, "must not be there")] }
        let schema = Self.resolved(schema, in: root)
        if case .null = value, schema["nullable"] == .bool(true) { return [] }
        if let reference = schema["$ref"]?.text {
            return [at(path, "has a schema that is not in the document: \(reference)")]
        }
        if let wrong = typeProblem(schema, value, path) { return [wrong] }
        let found =
            combinations(schema, value, path, depth) + listed(schema, value, path)
            + limits(schema, value, path) + members(schema, value, path, depth)
            + elements(schema, value, path, depth)
        // Several paths through `allOf` may reach the same schema: report each problem once.
        var said: Set<String> = []
        return found.filter { said.insert($0).inserted }
    }

    private func typeProblem(_ schema: JSONValue, _ value: JSONValue, _ path: String) -> String? {
        let types = Self.types(of: schema)
        guard !types.isEmpty, !types.contains(where: { value.isOf(type: $0) }) else { return nil }
        return at(path, "has to be \(types.joined(separator: " or ")), and is \(value.typeName)")
    }

    private func combinations(
        _ schema: JSONValue, _ value: JSONValue, _ path: String, _ depth: Int
    ) -> [String] {
        func alternatives(_ name: String) -> [[String]]? {
            schema[name]?.elements?.map { problems($0, value, path, depth + 1) }
        }
        var found = (alternatives("allOf") ?? []).flatMap { $0 }
        if let any = alternatives("anyOf"), !any.contains([]) {
            found.append(at(path, "fits none of \(any.count) alternatives") + nearest(of: any))
        }
        if let one = alternatives("oneOf") {
            let count = one.filter(\.isEmpty).count
            if count == 0 {
                found.append(at(path, "fits none of \(one.count) alternatives") + nearest(of: one))
            } else if count > 1 {
                found.append(at(path, "fits \(count) alternatives, and has to fit one"))
            }
        }
        if let not = schema["not"], problems(not, value, path, depth + 1).isEmpty {
            found.append(at(path, "fits what is forbidden by \"not\""))
        }
        return found
    }

    /// Returns the first problem of the alternative with the fewest problems.
    private func nearest(of alternatives: [[String]]) -> String {
        let nearest = alternatives.min { $0.count < $1.count }?.first
        return nearest.map { " Nearest: \($0)" } ?? ""
    }

    private func listed(_ schema: JSONValue, _ value: JSONValue, _ path: String) -> [String] {
        var found: [String] = []
        if let values = schema["enum"]?.elements, !values.contains(value) {
            let known = values.map(\.shown).joined(separator: ", ")
            found.append(at(path, "is \(value.shown), and has to be one of \(known)"))
        }
        if let constant = schema["const"], constant != value {
            found.append(at(path, "is \(value.shown), and has to be \(constant.shown)"))
        }
        return found
    }

    // MARK: Members and elements

    private func members(
        _ schema: JSONValue, _ value: JSONValue, _ path: String, _ depth: Int
    ) -> [String] {
        guard let members = value.members else { return [] }
        let properties = schema["properties"]?.members ?? [:]
        let required = schema["required"]?.elements?.compactMap(\.text) ?? []
        var found = required.filter { name in
            let schema = properties[name].map { Self.resolved($0, in: root) }
            return members[name] == nil && !(schema.map(direction.excludes) ?? false)
        }.map { name in
            at(path.isEmpty ? name : "\(path).\(name)", "is missing")
        }
        for (name, member) in members.sorted(by: { $0.key < $1.key }) {
            let place = path.isEmpty ? name : "\(path).\(name)"
            if let property = properties[name] {
                found += problems(property, member, place, depth + 1)
            } else if schema["additionalProperties"] == .bool(false) {
                found.append(at(place, "is not in the schema"))
            } else if let rest = schema["additionalProperties"] {
                found += problems(rest, member, place, depth + 1)
            }
        }
        return found
    }

    private func elements(
        _ schema: JSONValue, _ value: JSONValue, _ path: String, _ depth: Int
    ) -> [String] {
        guard let elements = value.elements, let items = schema["items"] else { return [] }
        return elements.enumerated().flatMap { index, element in
            problems(items, element, "\(path)[\(index)]", depth + 1)
        }
    }
}
