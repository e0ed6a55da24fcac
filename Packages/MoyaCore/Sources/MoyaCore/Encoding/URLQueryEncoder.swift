import Foundation

/// Writes a value, field by field in the order of its coding keys, as the query of a URL.
///
/// A value inside a value becomes `key[inner]=value`, and `Data` is Base64. A field that is `nil` is left out, as
/// synthesised `Encodable` conformances do. A dictionary is written sorted by key; the elements of a `Set` have no order.
///
/// ```swift
/// struct Search: Encodable { var q: String; var tags: [String] }
/// try URLQueryEncoder().queryString(for: Search(q: "a b", tags: ["x"]))  // q=a%20b&tags%5B%5D=x
/// ```
public struct URLQueryEncoder: Sendable {
    /// How a date is written.
    public enum DateEncoding: Sendable {
        /// Seconds since 1970, with a fraction where there is one. A date that is not finite is an error.
        case secondsSince1970
        /// `2026-01-31T12:00:00Z` (RFC 3339): UTC, without fractions of a second. A date outside of the years 1 to
        /// 9999 is an error.
        case iso8601
        /// What the closure makes of it.
        case custom(@Sendable (Date) -> String)
    }

    /// How the key of an array is written.
    public var arrayEncoding: URLEncoding.ArrayEncoding
    /// How a boolean is written.
    public var boolEncoding: URLEncoding.BoolEncoding
    /// How a date is written.
    public var dateEncoding: DateEncoding

    /// Unless you say otherwise, an array is written `key[]=1&key[]=2`, `true` as `1`, and a date as in RFC 3339.
    public init(
        arrayEncoding: URLEncoding.ArrayEncoding = .brackets,
        boolEncoding: URLEncoding.BoolEncoding = .numeric,
        dateEncoding: DateEncoding = .iso8601
    ) {
        self.arrayEncoding = arrayEncoding
        self.boolEncoding = boolEncoding
        self.dateEncoding = dateEncoding
    }

    /// `value` as a percent-encoded query, without its question mark.
    ///
    /// - Throws: `EncodingError` where `value` is not made of named fields, is nested deeper than 512
    ///   levels or holds a date that cannot be written, and what its own `encode(to:)` throws.
    public func queryString(for value: any Encodable) throws -> String {
        let pairs = QueryPairs()
        try QueryValueEncoder(options: self, pairs: pairs, key: nil, codingPath: []).encode(value)
        return pairs.all.map {
            "\(URLEncoding.default.escape($0))=\(URLEncoding.default.escape($1))"
        }
        .joined(separator: "&")
    }

    /// `nil` for a date that cannot be written so.
    func text(of date: Date) -> String? {
        switch dateEncoding {
        case .secondsSince1970:
            let seconds = date.timeIntervalSince1970
            guard seconds.isFinite else { return nil }
            return Int64(exactly: seconds).map(String.init) ?? "\(seconds)"
        case .iso8601:
            // Foundation writes another date for one that is not finite or too far away.
            guard Self.datesOfRFC3339.contains(date) else { return nil }
            return date.formatted(.iso8601)
        case .custom(let encoding): return encoding(date)
        }
    }

    /// The years of four digits.
    private static let datesOfRFC3339 =
        Date.distantPast..<Date(timeIntervalSince1970: 253_402_300_800)
}

/// The pairs written so far. Encoders share one; it never leaves the call that made it.
final class QueryPairs {
    var all: [(String, String)] = []
}

/// Encodes one value under one key.
struct QueryValueEncoder: Encoder {
    let options: URLQueryEncoder
    let pairs: QueryPairs
    /// The key so far, not yet percent-encoded. `nil` at the top.
    let key: String?
    let codingPath: [any CodingKey]

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(QueryKeyedContainer<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        QueryUnkeyedContainer(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        QuerySingleValueContainer(encoder: self)
    }

    func field(_ codingKey: any CodingKey) -> QueryValueEncoder {
        let name = codingKey.stringValue
        return under(key.map { "\($0)[\(name)]" } ?? name, codingKey)
    }

    func element(_ index: Int) -> QueryValueEncoder {
        // An array at the top has no name. `write` refuses it, with its place.
        under(
            key.map { options.arrayEncoding.encode($0, atIndex: index) },
            QueryIndex(intValue: index))
    }

    private func under(_ key: String?, _ codingKey: any CodingKey) -> QueryValueEncoder {
        QueryValueEncoder(
            options: options, pairs: pairs, key: key, codingPath: codingPath + [codingKey])
    }

    func encode(_ value: some Encodable) throws {
        guard codingPath.count < ParameterEncodingError.maximumDepth else {
            throw invalid(value, ParameterEncodingError.tooDeep.description)
        }
        switch value {
        case let date as Date: try write(date)
        case let url as URL: try write(url.absoluteString, value)
        case let decimal as Decimal: try write("\(decimal)", value)
        case let data as Data: try write(data.base64EncodedString(), value)
        case let bool as Bool: try write(options.boolEncoding.encode(bool), value)
        default: if try !encodeSorted(value) { try value.encode(to: self) }
        }
    }

    private func write(_ date: Date) throws {
        // For the errors: Foundation ends the process where a date that is NaN is printed.
        let seconds = date.timeIntervalSince1970
        guard let text = options.text(of: date) else {
            throw invalid(
                seconds,
                "The date at \"\(key ?? "")\" is not finite, or in a year that RFC 3339 cannot "
                    + "hold: only those from 1 to 9999 can be written.")
        }
        try write(text, seconds)
    }

    func write(_ text: String, _ value: Any) throws {
        guard let key else {
            throw invalid(value, "A query is made of named fields. Put the value into a struct.")
        }
        pairs.all.append((key, text))
    }

    private func invalid(_ value: Any, _ reason: String) -> EncodingError {
        .invalidValue(value, .init(codingPath: codingPath, debugDescription: reason))
    }
}

struct QueryIndex: CodingKey {
    let index: Int
    var intValue: Int? { index }
    var stringValue: String { "\(index)" }

    init(intValue: Int) { index = intValue }
    init?(stringValue: String) { nil }
}
