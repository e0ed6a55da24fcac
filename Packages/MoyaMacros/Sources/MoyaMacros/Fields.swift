import MoyaCore

/// Items of a query in their order. Those that are `nil` are left out. Used by the code that `@API` writes.
public struct QueryFields: Encodable, Sendable {
    private let items: [(String, (any Encodable & Sendable)?)]

    /// Items by name.
    public init(_ items: KeyValuePairs<String, (any Encodable & Sendable)?>) {
        self.items = items.map { ($0, $1) }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for case (let name, let value?) in items {
            try container.encode(value, forKey: Name(stringValue: name))
        }
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

/// Header fields of a request. Those that are `nil` are left out. Used by the code that `@API` writes.
public struct HeaderFields: Sendable {
    private let fields: [(String, String?)]

    /// Values by name.
    public init(_ fields: KeyValuePairs<String, String?>) {
        self.fields = fields.map { ($0, $1) }
    }

    /// `defaults` with these fields in the place of those with the same names, whatever their case.
    public func over(_ defaults: [String: String]) -> [String: String] {
        var result = defaults
        for case (let name, let value?) in fields {
            for old in result.keys where old.lowercased() == name.lowercased() { result[old] = nil }
            result[name] = value
        }
        return result
    }
}

extension DefaultStringInterpolation {
    /// Puts a value into a header field, a form or an item of the query. Used by the code that `@API` writes.
    public mutating func appendInterpolation(field value: some CustomStringConvertible) {
        appendLiteral(value.description)
    }

    /// Puts the raw value of `value` into a field.
    public mutating func appendInterpolation<Value: RawRepresentable>(field value: Value)
    where Value.RawValue: CustomStringConvertible {
        appendLiteral(value.rawValue.description)
    }

    /// Puts the raw value of `value` into a field.
    public mutating func appendInterpolation<Value: RawRepresentable & CustomStringConvertible>(
        field value: Value
    ) where Value.RawValue: CustomStringConvertible {
        appendLiteral(value.rawValue.description)
    }
}
