import Foundation

/// Encodes a value as the query of a URL, field by field in the order of its coding keys.
///
/// A nested value is encoded as `key[inner]=value`, `Data` as Base64. Fields that are `nil` are
/// omitted, as by synthesized `Encodable` conformances. Dictionaries are sorted by key; the
/// elements of a `Set` have no defined order.
///
/// ```swift
/// struct Search: Encodable { var q: String; var tags: [String] }
/// try URLQueryEncoder().queryString(for: Search(q: "a b", tags: ["x"]))  // q=a%20b&tags%5B%5D=x
/// ```
public struct URLQueryEncoder: Sendable {
    /// The format of a date.
    public enum DateEncoding: Sendable {
        /// Seconds since 1970, with a fraction if the date has one. A date that is not finite is an
        /// error.
        case secondsSince1970
        /// `2026-01-31T12:00:00Z` (RFC 3339): UTC, without fractions of a second. A date outside
        /// the years 1 to 9999 is an error.
        case iso8601
        /// The text that the closure returns.
        case custom(@Sendable (Date) -> String)
    }

    /// The format of an array.
    public var arrayEncoding: URLEncoding.ArrayEncoding
    /// The format of a boolean.
    public var boolEncoding: URLEncoding.BoolEncoding
    /// The format of a date.
    public var dateEncoding: DateEncoding

    /// Creates an encoder. By default arrays are encoded as `key[]=1&key[]=2`, `true` as `1`, and
    /// dates as in RFC 3339.
    public init(
        arrayEncoding: URLEncoding.ArrayEncoding = .brackets,
        boolEncoding: URLEncoding.BoolEncoding = .numeric,
        dateEncoding: DateEncoding = .iso8601
    ) {
        self.arrayEncoding = arrayEncoding
        self.boolEncoding = boolEncoding
        self.dateEncoding = dateEncoding
    }

    /// Encodes `value` as a percent-encoded query, without the question mark.
    ///
    /// - Throws: `EncodingError` if `value` does not consist of named fields, is nested deeper than
    ///   512 levels or contains a date that cannot be encoded; the errors of its `encode(to:)`.
    public func queryString(for value: any Encodable) throws -> String {
        let pairs = QueryPairs()
        try QueryValueEncoder(options: self, pairs: pairs, key: nil, codingPath: []).encode(value)
        return pairs.all.map { "\(URLEncoding.default.escape($0))=\($1)" }.joined(separator: "&")
    }

    /// Returns `nil` for a date that the format cannot represent.
    func text(of date: Date) -> String? {
        switch dateEncoding {
        case .secondsSince1970:
            let seconds = date.timeIntervalSince1970
            guard seconds.isFinite else { return nil }
            return Int64(exactly: seconds).map(String.init) ?? "\(seconds)"
        case .iso8601:
            // Foundation formats a date that is not finite, or out of range, as another date.
            guard Self.datesOfRFC3339.contains(date) else { return nil }
            return date.formatted(.iso8601)
        case .custom(let encoding): return encoding(date)
        }
    }

    /// Dates whose year has at most four digits.
    private static let datesOfRFC3339 =
        Date.distantPast..<Date(timeIntervalSince1970: 253_402_300_800)
}

/// The encoded pairs. Nested encoders share an instance, which never leaves `queryString(for:)`.
final class QueryPairs {
    /// Keys, and percent-encoded values.
    var all: [(String, String)] = []
}

/// An array whose elements share a pair.
final class QueryList {
    /// The index of the pair. `nil` before the first element.
    var index: Int?
}

/// Where an encoder writes its text.
enum QueryPlace {
    /// Into a pair of its own.
    case pair
    /// Into the pair of an array.
    case element(QueryList)
    /// An element of such an array is an array or has fields, which is an error.
    case insideElement
}

/// Encodes a value under a key.
struct QueryValueEncoder: Encoder {
    let options: URLQueryEncoder
    let pairs: QueryPairs
    /// The key path, not percent-encoded. `nil` at the top level.
    let key: String?
    let codingPath: [any CodingKey]
    var place = QueryPlace.pair

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(QueryKeyedContainer<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        QueryUnkeyedContainer(
            encoder: self, list: options.arrayEncoding.isCommaSeparated ? QueryList() : nil)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        QuerySingleValueContainer(encoder: self)
    }

    func field(_ codingKey: any CodingKey) -> QueryValueEncoder {
        let name = codingKey.stringValue
        let place: QueryPlace = if case .pair = self.place { .pair } else { .insideElement }
        return under(key.map { "\($0)[\(name)]" } ?? name, codingKey, place)
    }

    /// - Parameter list: The array, if its elements share a pair.
    func element(_ index: Int, of list: QueryList?) -> QueryValueEncoder {
        let place: QueryPlace =
            switch (list, self.place) {
            case (nil, _): .pair
            case (let list?, .pair): .element(list)
            case (_?, .element), (_?, .insideElement): .insideElement
            }
        // An array at the top level has no key. `write` rejects it, with its coding path.
        return under(
            key.map { options.arrayEncoding.encode($0, atIndex: index) },
            QueryIndex(intValue: index), place)
    }

    private func under(
        _ key: String?, _ codingKey: any CodingKey, _ place: QueryPlace
    ) -> QueryValueEncoder {
        QueryValueEncoder(
            options: options, pairs: pairs, key: key, codingPath: codingPath + [codingKey],
            place: place)
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
        // Errors contain seconds instead of the date, because Foundation traps when it formats a
        // date that is NaN.
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
        let text = URLEncoding.default.escape(text)
        switch place {
        case .pair: pairs.all.append((key, text))
        case .element(let list):
            if let index = list.index {
                pairs.all[index].1 += ",\(text)"
            } else {
                list.index = pairs.all.count
                pairs.all.append((key, text))
            }
        case .insideElement:
            throw invalid(value, ParameterEncodingError.nestedInList(at: "\"\(key)\"").description)
        }
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
