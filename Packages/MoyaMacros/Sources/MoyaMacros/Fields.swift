import MoyaCore

/// Query items in order. Items with a `nil` value are left out. Used by the code that `@API`
/// generates.
public struct QueryFields: Encodable, Sendable {
    private let items: [(String, (any Encodable & Sendable)?)]

    /// Creates query items by name.
    public init(_ items: KeyValuePairs<String, (any Encodable & Sendable)?>) {
        self.items = items.map { ($0, $1) }
    }

    /// Encodes the items by name, in order.
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

/// Header fields of a request. Fields with a `nil` value are left out. Used by the code that
/// `@API` generates.
public struct HeaderFields: Sendable {
    private let fields: [(String, String?)]

    /// Creates header fields by name.
    public init(_ fields: KeyValuePairs<String, String?>) {
        self.fields = fields.map { ($0, $1) }
    }

    /// Returns `defaults` with these fields added. They replace fields with the same name, which is
    /// case-insensitive.
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
    /// Inserts a value into a header field, a form part or a query item. Used by the code that
    /// `@API` generates.
    public mutating func appendInterpolation(field value: some CustomStringConvertible) {
        appendLiteral(value.description)
    }

    /// Inserts the raw value of `value`.
    public mutating func appendInterpolation<Value: RawRepresentable>(field value: Value)
    where Value.RawValue: CustomStringConvertible {
        appendLiteral(value.rawValue.description)
    }

    /// Inserts the raw value of `value`.
    public mutating func appendInterpolation<Value: RawRepresentable & CustomStringConvertible>(
        field value: Value
    ) where Value.RawValue: CustomStringConvertible {
        appendLiteral(value.rawValue.description)
    }
}

/// The names under which `@API` sends parameters as query items and form parts.
///
/// ```swift
/// @API("https://api.github.com", names: .snakeCase)               // perPage is sent as per_page
/// @API("https://api.github.com", names: ["perPage": "per_page"])  // other names stay as written
/// ```
///
/// The arguments `headers` and `query` of a case have the names that they contain.
public struct ParameterNames: ExpressibleByDictionaryLiteral, Sendable {
    /// The names of the parameters.
    public static let asWritten: ParameterNames = [:]
    /// The names in lower case, with an underscore between words.
    public static let snakeCase: ParameterNames = [:]

    /// Creates names for some parameters. The macro reads the literal.
    public init(dictionaryLiteral names: (String, String)...) {}
}
