import Foundation

extension JSONValue {
    /// Returns the member `name` of an object, or `nil`.
    subscript(name: String) -> JSONValue? { members?[name] }

    var members: [String: JSONValue]? { if case .object(let value) = self { value } else { nil } }
    var elements: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
    var text: String? { if case .string(let value) = self { value } else { nil } }
    var double: Double? { if case .number(let value) = self { value } else { nil } }

    /// Name of the type in JSON Schema.
    var typeName: String {
        switch self {
        case .null: "null"
        case .bool: "boolean"
        case .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }

    func isOf(type: String) -> Bool {
        guard type == "integer" else { return typeName == type }
        return double.map { $0 == $0.rounded() } ?? false
    }

    /// The value as JSON, limited to 60 characters.
    var shown: String {
        if case .number(let value) = self, let whole = Int(exactly: value) { return "\(whole)" }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Encoding fails only for numbers that are not finite, which decoded JSON never contains.
        let text = (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return text.count > 60 ? text.prefix(60) + "…" : text
    }
}
