import Foundation

/// Makes examples of JSON schemas. The same schema makes the same example.
struct SchemaExample {
    let root: JSONValue
    let direction: JSONSchema.Direction

    /// Nesting depth from which optional members are left out.
    private static let optionalDepth = 4
    private static let depthLimit = 40

    /// Returns a value that fits `schema`, or `nil` if none was found.
    func value(of schema: JSONValue) -> JSONValue? {
        make(schema, seen: [], depth: 0).flatMap { fits($0, schema) ? $0 : nil }
    }

    private func fits(_ value: JSONValue, _ schema: JSONValue) -> Bool {
        JSONSchema(schema, in: root, direction: direction).problems(with: value).isEmpty
    }

    /// - Parameter seen: The references that lead to `schema`. A value of a type that contains
    ///   itself ends there.
    private func make(_ schema: JSONValue, seen: Set<String>, depth: Int) -> JSONValue? {
        guard schema != .bool(false), depth < Self.depthLimit else { return nil }
        guard let reference = schema["$ref"]?.text else {
            return given(schema) ?? made(schema, seen: seen, depth: depth)
        }
        guard !seen.contains(reference), let target = JSONSchema.target(of: reference, in: root)
        else { return nil }
        return make(target, seen: seen.union([reference]), depth: depth)
    }

    /// Returns the example, default or first allowed value of the schema, if it is valid.
    private func given(_ schema: JSONValue) -> JSONValue? {
        let candidates =
            [schema["example"]] + [schema["examples"]?.elements?.first, schema["const"]]
            + [schema["default"], schema["enum"]?.elements?.first]
        return candidates.lazy.compactMap { $0 }.first { fits($0, schema) }
    }

    private func made(_ schema: JSONValue, seen: Set<String>, depth: Int) -> JSONValue? {
        if let parts = schema["allOf"]?.elements {
            return make(merged(schema, "allOf", parts), seen: seen, depth: depth + 1)
        }
        for keyword in ["oneOf", "anyOf"] {
            guard let alternatives = schema[keyword]?.elements else { continue }
            return alternatives.lazy.compactMap { alternative -> JSONValue? in
                var seen = seen
                if let reference = alternative["$ref"]?.text, !seen.insert(reference).inserted {
                    return nil
                }
                let schema = merged(schema, keyword, [alternative])
                return make(schema, seen: seen, depth: depth + 1)
            }.first { fits($0, schema) }
        }
        switch kind(of: schema) {
        case "object": return object(schema, seen: seen, depth: depth)
        case "array": return array(schema, seen: seen, depth: depth)
        case "string": return string(schema)
        case "integer", "number": return number(schema)
        case "boolean": return .bool(true)
        case "null": return .null
        default: return [:]
        }
    }

    private func kind(of schema: JSONValue) -> String? {
        if let type = JSONSchema.types(of: schema).first(where: { $0 != "null" }) { return type }
        if JSONSchema.types(of: schema) == ["null"] { return "null" }
        let hints = [
            ("properties", "object"), ("additionalProperties", "object"), ("items", "array"),
            ("minLength", "string"), ("maxLength", "string"), ("format", "string"),
            ("minimum", "number"), ("maximum", "number"),
        ]
        return hints.first { schema[$0.0] != nil }?.1
    }

    /// Returns `schema` without `keyword`, and with the members of `parts`, which it may refer to.
    private func merged(
        _ schema: JSONValue, _ keyword: String, _ parts: [JSONValue]
    ) -> JSONValue {
        var references: Set<String> = []
        return merged(schema, keyword, parts, &references)
    }

    /// - Parameter references: The merged references. A schema may be a part of itself, or several
    ///   times of another.
    private func merged(
        _ schema: JSONValue, _ keyword: String, _ parts: [JSONValue],
        _ references: inout Set<String>
    ) -> JSONValue {
        var all = schema.members ?? [:]
        all[keyword] = nil
        for part in parts {
            if let reference = part["$ref"]?.text, !references.insert(reference).inserted {
                continue
            }
            var part = JSONSchema.resolved(part, in: root)
            if let inner = part["allOf"]?.elements {
                part = merged(part, "allOf", inner, &references)
            }
            for (name, member) in part.members ?? [:] {
                switch (name, all[name], member) {
                case ("properties", .object(let own)?, .object(let others)):
                    all[name] = .object(own.merging(others) { own, _ in own })
                case ("required", .array(let own)?, .array(let others)):
                    all[name] = .array(own + others)
                case (_, nil, _): all[name] = member
                default: break
                }
            }
        }
        return .object(all)
    }

    // MARK: Types

    private func object(_ schema: JSONValue, seen: Set<String>, depth: Int) -> JSONValue? {
        let required = Set(schema["required"]?.elements?.compactMap(\.text) ?? [])
        let properties = schema["properties"]?.members ?? [:]
        var members: [String: JSONValue] = [:]
        for (name, property) in properties {
            guard !direction.excludes(JSONSchema.resolved(property, in: root)) else { continue }
            let isRequired = required.contains(name)
            guard isRequired || depth < Self.optionalDepth else { continue }
            members[name] = make(property, seen: seen, depth: depth + 1)
            if isRequired, members[name] == nil { return nil }
        }
        let rest = schema["additionalProperties"] ?? .string("")
        let others = required.subtracting(properties.keys).sorted()
        let least = count(schema["minProperties"]) ?? 0
        let extra = (0..<max(0, least - members.count - others.count)).map { "key\($0)" }
        for name in others + extra {
            members[name] =
                rest.members == nil ? "string" : make(rest, seen: seen, depth: depth + 1)
        }
        return .object(members)
    }

    private func array(_ schema: JSONValue, seen: Set<String>, depth: Int) -> JSONValue? {
        let items = schema["items"] ?? ["type": "string"]
        let least = count(schema["minItems"]) ?? 0
        let size = min(max(least, 1), count(schema["maxItems"]) ?? .max)
        guard let element = make(items, seen: seen, depth: depth + 1) else {
            return least == 0 ? [] : nil
        }
        guard schema["uniqueItems"] == .bool(true) else {
            return .array(Array(repeating: element, count: size))
        }
        let allowed = JSONSchema.resolved(items, in: root)["enum"]?.elements ?? []
        return .array(
            (0..<size).map { index -> JSONValue in
                if allowed.indices.contains(index) { return allowed[index] }
                return switch element {
                case .number(let number): .number(number + Double(index))
                // Of the same length, which may be limited.
                case .string(let text) where index > 0:
                    .string(text.dropLast("\(index)".count) + "\(index)")
                default: element
                }
            })
    }

    private func number(_ schema: JSONValue) -> JSONValue {
        let least = schema["exclusiveMinimum"]?.double ?? schema["minimum"]?.double
        let most = schema["exclusiveMaximum"]?.double ?? schema["maximum"]?.double
        let isInteger = JSONSchema.types(of: schema).contains("integer")
        let step = schema["multipleOf"]?.double ?? (isInteger ? 1 : nil)
        var candidates = [1.0]
        if let least { candidates += [least, least + (step ?? 1)] }
        if let most { candidates += [most, most - (step ?? 1)] }
        if let least, let most { candidates.append((least + most) / 2) }
        if let step, step > 0 {
            candidates = candidates.flatMap { number in
                [FloatingPointRoundingRule.up, .down].map { (number / step).rounded($0) * step }
            }
        }
        return candidates.map { .number($0) }.first { fits($0, schema) } ?? .number(1)
    }

    private func string(_ schema: JSONValue) -> JSONValue {
        var text = schema["format"]?.text.flatMap { Self.formats[$0] } ?? "string"
        let least = count(schema["minLength"]) ?? 0
        if text.count < least { text += String(repeating: "a", count: least - text.count) }
        return .string(String(text.prefix(count(schema["maxLength"]) ?? .max)))
    }

    /// Returns a limit of a count, at most 10,000.
    private func count(_ limit: JSONValue?) -> Int? {
        limit?.double.map { $0 > 0 ? Int(min($0, 10_000)) : 0 }
    }

    /// Examples of formats of JSON Schema and OpenAPI.
    private static let formats = [
        "date": "2026-01-31", "date-time": "2026-01-31T12:00:00Z", "time": "12:00:00Z",
        "duration": "P1D", "email": "ash@example.com", "idn-email": "ash@example.com",
        "hostname": "example.com", "idn-hostname": "example.com", "ipv4": "192.0.2.1",
        "ipv6": "2001:db8::1", "uri": "https://example.com/a", "iri": "https://example.com/a",
        "url": "https://example.com/a", "uri-reference": "/a", "iri-reference": "/a",
        "uri-template": "/a/{b}", "uuid": "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
        "json-pointer": "/a", "relative-json-pointer": "0", "regex": "a*", "byte": "YQ==",
        "binary": "a", "password": "secret",
    ]
}
