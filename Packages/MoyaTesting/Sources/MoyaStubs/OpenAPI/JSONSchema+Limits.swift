extension JSONSchema {
    // MARK: Limits

    /// Checks limits of numbers, of the lengths of strings, and of the counts of elements and
    /// members.
    func limits(_ schema: JSONValue, _ value: JSONValue, _ path: String) -> [String] {
        switch value {
        case .number(let number): numberLimits(schema, number, path)
        case .string(let text):
            countLimits(schema, text.unicodeScalars.count, "Length", "characters", path)
        case .array(let elements):
            countLimits(schema, elements.count, "Items", "elements", path)
                + uniqueness(schema, elements, path)
        case .object(let members):
            countLimits(schema, members.count, "Properties", "members", path)
        case .null, .bool: []
        }
    }

    private func numberLimits(_ schema: JSONValue, _ number: Double, _ path: String) -> [String] {
        var found: [String] = []
        let (least, most) = (schema["minimum"]?.double, schema["maximum"]?.double)
        // OpenAPI 3.1 has numbers here. OpenAPI 3.0 has a flag that applies to `minimum` or
        // `maximum`.
        let above =
            schema["exclusiveMinimum"]?.double
            ?? (schema["exclusiveMinimum"] == .bool(true) ? least : nil)
        let below =
            schema["exclusiveMaximum"]?.double
            ?? (schema["exclusiveMaximum"] == .bool(true) ? most : nil)
        let shown = JSONValue.number(number).shown
        func report(_ what: String, _ limit: Double) {
            found.append(
                at(path, "is \(shown), and has to be \(what) \(JSONValue.number(limit).shown)"))
        }
        if let least, number < least { report("at least", least) }
        if let most, number > most { report("at most", most) }
        if let above, number <= above { report("above", above) }
        if let below, number >= below { report("below", below) }
        if let step = schema["multipleOf"]?.double, step > 0 {
            let quotient = number / step
            // Decimal fractions are not exact in binary floating point.
            if abs(quotient - quotient.rounded()) > 1e-9 * max(1, abs(quotient)) {
                report("a multiple of", step)
            }
        }
        return found
    }

    private func countLimits(
        _ schema: JSONValue, _ count: Int, _ name: String, _ unit: String, _ path: String
    ) -> [String] {
        var found: [String] = []
        if let least = schema["min\(name)"]?.double, Double(count) < least {
            found.append(
                at(path, "has \(count) \(unit), and at least \(Int(clamping: least)) are needed"))
        }
        if let most = schema["max\(name)"]?.double, Double(count) > most {
            found.append(
                at(path, "has \(count) \(unit), and at most \(Int(clamping: most)) are allowed"))
        }
        return found
    }

    private func uniqueness(
        _ schema: JSONValue, _ elements: [JSONValue], _ path: String
    ) -> [String] {
        guard schema["uniqueItems"] == .bool(true) else { return [] }
        let isRepeated = elements.indices.contains { elements[..<$0].contains(elements[$0]) }
        return isRepeated ? [at(path, "has an element twice")] : []
    }

    func at(_ path: String, _ what: String) -> String {
        "\(path.isEmpty ? "The body" : path) \(what)."
    }

    // MARK: Unchecked keywords

    private static let checked: Set = [
        "$ref", "type", "properties", "required", "additionalProperties", "items", "enum", "const",
        "nullable", "allOf", "oneOf", "anyOf", "not", "minimum", "maximum", "exclusiveMinimum",
        "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "minItems", "maxItems",
        "minProperties", "maxProperties", "uniqueItems",
    ]
    /// Keywords that do not constrain a value.
    private static let notes: Set = [
        "title", "description", "default", "example", "examples", "deprecated", "readOnly",
        "writeOnly", "externalDocs", "xml", "$comment", "$schema", "$id", "$defs", "format",
    ]

    /// Returns the unchecked keywords of all schemas in `value`.
    static func unchecked(in value: JSONValue) -> Set<String> {
        var found: Set<String> = []
        collect(from: value, isSchema: false, into: &found, depth: 0)
        return found
    }

    private static func collect(
        from value: JSONValue, isSchema: Bool, into found: inout Set<String>, depth: Int
    ) {
        guard depth < 200 else { return }
        for element in value.elements ?? [] {
            collect(from: element, isSchema: isSchema, into: &found, depth: depth + 1)
        }
        for (name, member) in value.members ?? [:] {
            if isSchema, !checked.contains(name), !notes.contains(name), !name.hasPrefix("x-") {
                found.insert(name)
            }
            switch name {
            case "properties", "schemas", "$defs":
                for schema in (member.members ?? [:]).values {
                    collect(from: schema, isSchema: true, into: &found, depth: depth + 1)
                }
            case "schema", "items", "additionalProperties", "allOf", "oneOf", "anyOf", "not":
                collect(from: member, isSchema: true, into: &found, depth: depth + 1)
            case "example", "examples", "default", "enum", "const": break
            case _ where isSchema: break
            default: collect(from: member, isSchema: false, into: &found, depth: depth + 1)
            }
        }
    }
}

extension Int {
    /// Converts the number to the nearest `Int`.
    fileprivate init(clamping value: Double) {
        self = Int(exactly: value.rounded()) ?? (value < 0 ? .min : .max)
    }
}
