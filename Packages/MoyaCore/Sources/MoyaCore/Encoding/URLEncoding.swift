import Foundation

/// Encodes parameters as `key=value` pairs, sorted by key, in the query or the body.
///
/// A nested dictionary is encoded as `key[inner]=value`, and `nil` as `key=`. Arrays and booleans
/// are encoded according to ``arrayEncoding`` and ``boolEncoding``. A whole floating-point number
/// is encoded without its fraction: `5.0` as `5`. Characters other than letters, digits and
/// `-._~/?` are percent-encoded. A value nested deeper than 512 levels or a date that is not finite
/// results in a ``ParameterEncodingError``.
public struct URLEncoding: ParameterEncoding {
    /// The destination of the pairs.
    public enum Destination: Sendable {
        /// The query for GET, HEAD and DELETE, the body for other methods.
        case methodDependent
        /// The query.
        case queryString
        /// The body.
        case httpBody

        func isQuery(for method: String?) -> Bool {
            switch self {
            case .methodDependent: ["GET", "HEAD", "DELETE"].contains(method ?? "GET")
            case .queryString: true
            case .httpBody: false
            }
        }
    }

    /// The format of an array.
    public enum ArrayEncoding: Sendable {
        /// `key[]=1&key[]=2`
        case brackets
        /// `key=1&key=2`
        case noBrackets
        /// `key[0]=1&key[1]=2`
        case indexInBrackets
        /// `key=1,2`: OpenAPI's style `form` with `explode: false`.
        ///
        /// A comma inside a value is percent-encoded. An element that is `nil` and an empty array
        /// are omitted (RFC 6570, section 3.2.1). An array that contains an array or a dictionary
        /// is an error.
        case commaSeparated
        /// The key that the closure returns.
        case custom(@Sendable (_ key: String, _ index: Int) -> String)

        var isCommaSeparated: Bool { if case .commaSeparated = self { true } else { false } }

        func encode(_ key: String, atIndex index: Int) -> String {
            switch self {
            case .brackets: "\(key)[]"
            case .noBrackets, .commaSeparated: key
            case .indexInBrackets: "\(key)[\(index)]"
            case .custom(let encoding): encoding(key, index)
            }
        }
    }

    /// The format of a boolean.
    public enum BoolEncoding: Sendable {
        /// `1` and `0`
        case numeric
        /// `true` and `false`
        case literal

        func encode(_ value: Bool) -> String {
            switch self {
            case .numeric: value ? "1" : "0"
            case .literal: value ? "true" : "false"
            }
        }
    }

    /// Encodes to the query for GET, HEAD and DELETE, to the body for other methods.
    public static let `default` = URLEncoding()
    /// Encodes to the query.
    public static let queryString = URLEncoding(destination: .queryString)
    /// Encodes to the body.
    public static let httpBody = URLEncoding(destination: .httpBody)

    /// The destination of the pairs.
    public let destination: Destination
    /// The format of an array.
    public let arrayEncoding: ArrayEncoding
    /// The format of a boolean.
    public let boolEncoding: BoolEncoding

    /// Creates an encoding. By default the destination depends on the method, arrays are encoded as
    /// `key[]=1&key[]=2`, and `true` as `1`.
    public init(
        destination: Destination = .methodDependent, arrayEncoding: ArrayEncoding = .brackets,
        boolEncoding: BoolEncoding = .numeric
    ) {
        self.destination = destination
        self.arrayEncoding = arrayEncoding
        self.boolEncoding = boolEncoding
    }

    public func encode(
        _ urlRequest: any URLRequestConvertible, with parameters: Parameters?
    ) throws -> URLRequest {
        var request = try urlRequest.asURLRequest()
        guard let parameters else { return request }
        guard destination.isQuery(for: request.httpMethod) else {
            request.setContentTypeIfAbsent("application/x-www-form-urlencoded; charset=utf-8")
            request.httpBody = Data(try query(parameters).utf8)
            return request
        }
        guard request.url != nil else { throw ParameterEncodingError.missingURL }
        return try request.appendingQuery(query(parameters))
    }

    /// Returns the percent-encoded pairs of a parameter. Empty if the value is nested deeper than
    /// 512 levels or contains a date that is not finite.
    public func queryComponents(fromKey key: String, value: Any) -> [(String, String)] {
        var pairs: [(String, String)] = []
        let isEncoded = (try? append(value, under: key, to: &pairs)) != nil
        return isEncoded ? pairs : []
    }

    private func append(
        _ value: Any, under key: String, to pairs: inout [(String, String)], depth: Int = 1
    ) throws(ParameterEncodingError) {
        guard depth < ParameterEncodingError.maximumDepth else { throw .tooDeep }
        switch value {
        case let dictionary as [String: Any]:
            for (inner, value) in dictionary.sorted(by: { $0.key < $1.key }) {
                try append(value, under: "\(key)[\(inner)]", to: &pairs, depth: depth + 1)
            }
        case let array as [Any] where arrayEncoding.isCommaSeparated:
            var values: [(String, String)] = []
            for value in array where !Self.isNil(value) {
                guard !(value is [Any]), !(value is [String: Any]) else {
                    throw .nestedInList(at: "\"\(key)\"")
                }
                try append(value, under: key, to: &values, depth: depth + 1)
            }
            guard !values.isEmpty else { return }
            pairs.append((escape(key), values.map(\.1).joined(separator: ",")))
        case let array as [Any]:
            for (index, value) in array.enumerated() {
                let key = arrayEncoding.encode(key, atIndex: index)
                try append(value, under: key, to: &pairs, depth: depth + 1)
            }
        // Foundation traps when it formats a date that is NaN.
        case let date as Date where !date.timeIntervalSince1970.isFinite:
            throw .invalidDate(at: "\"\(key)\"")
        default:
            pairs.append((escape(key), escape(text(of: value))))
        }
    }

    /// Percent-encodes all characters of `string` except letters, digits and `-._~/?` (RFC 3986,
    /// section 3.4).
    public func escape(_ string: String) -> String {
        string.addingPercentEncoding(withAllowedCharacters: .queryValueAllowed) ?? string
    }

    private func query(_ parameters: Parameters) throws(ParameterEncodingError) -> String {
        var pairs: [(String, String)] = []
        for (key, value) in parameters.sorted(by: { $0.key < $1.key }) {
            try append(value, under: key, to: &pairs)
        }
        return pairs.map { "\($0)=\($1)" }.joined(separator: "&")
    }

    private static func isNil(_ value: Any) -> Bool {
        let mirror = Mirror(reflecting: value)
        return mirror.displayStyle == .optional && mirror.children.isEmpty
    }

    private func text(of value: Any) -> String {
        // On Apple platforms a boolean may arrive as an `NSNumber`, which `isBoolean` recognizes.
        // On Linux it arrives as `Bool`. The numbers 0 and 1 must remain numbers.
        if type(of: value) == Bool.self
            || value is NSNumber && (value as? NSNumber)?.isBoolean == true,
            let bool = value as? Bool
        {
            return boolEncoding.encode(bool)
        }
        // Encodes the wrapped value of an optional, and `nil` as empty text.
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional {
            return mirror.children.first.map { text(of: $0.value) } ?? ""
        }
        let written = "\(value)"
        // Matches Moya on Apple platforms, where `NSNumber` omits the fraction of a whole number.
        let isWhole =
            written.hasSuffix(".0") && (value is any BinaryFloatingPoint || value is NSNumber)
        return isWhole ? String(written.dropLast(2)) : written
    }
}

extension NSNumber {
    /// Whether this number was created from a boolean.
    fileprivate var isBoolean: Bool {
        // On every platform, Foundation has one shared instance for each boolean.
        self === (true as NSNumber) || self === (false as NSNumber)
    }
}

extension CharacterSet {
    /// Characters that are not percent-encoded in a query's keys and values.
    static let queryValueAllowed = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/?")
}
