import Foundation

/// Puts parameters into the query or the body as `key=value` pairs, sorted by key.
///
/// A dictionary in a dictionary becomes `key[inner]=value`; arrays and booleans are written as
/// ``arrayEncoding`` and ``boolEncoding`` say; `5.0` is written `5`; an optional that is `nil` becomes `key=`.
/// Every character but letters, digits and `-._~/?` is percent-encoded. A value nested deeper than 512 levels
/// and a date that is not finite are a ``ParameterEncodingError``.
public struct URLEncoding: ParameterEncoding {
    /// Where the pairs go.
    public enum Destination: Sendable {
        /// Into the query for GET, HEAD and DELETE, into the body for the rest.
        case methodDependent
        /// Into the query.
        case queryString
        /// Into the body.
        case httpBody

        func isQuery(for method: String?) -> Bool {
            switch self {
            case .methodDependent: ["GET", "HEAD", "DELETE"].contains(method ?? "GET")
            case .queryString: true
            case .httpBody: false
            }
        }
    }

    /// How the key of an array is written.
    public enum ArrayEncoding: Sendable {
        /// `key[]=1&key[]=2`
        case brackets
        /// `key=1&key=2`
        case noBrackets
        /// `key[0]=1&key[1]=2`
        case indexInBrackets
        /// What the closure makes of the key and the index.
        case custom(@Sendable (_ key: String, _ index: Int) -> String)

        func encode(_ key: String, atIndex index: Int) -> String {
            switch self {
            case .brackets: "\(key)[]"
            case .noBrackets: key
            case .indexInBrackets: "\(key)[\(index)]"
            case .custom(let encoding): encoding(key, index)
            }
        }
    }

    /// How a boolean is written.
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

    /// Into the query for GET, HEAD and DELETE, into the body for the rest.
    public static let `default` = URLEncoding()
    /// Into the query.
    public static let queryString = URLEncoding(destination: .queryString)
    /// Into the body.
    public static let httpBody = URLEncoding(destination: .httpBody)

    /// Where the pairs go.
    public let destination: Destination
    /// How the key of an array is written.
    public let arrayEncoding: ArrayEncoding
    /// How a boolean is written.
    public let boolEncoding: BoolEncoding

    /// Puts the pairs where `destination` says. By default the method decides, an array is `key[]=1&key[]=2`, and
    /// `true` is `1`.
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

    /// The pairs one parameter becomes, percent-encoded. None for a value nested deeper than 512 levels, or with a
    /// date that is not finite.
    public func queryComponents(fromKey key: String, value: Any) -> [(String, String)] {
        var pairs: [(String, String)] = []
        do {
            try append(value, under: key, to: &pairs)
            return pairs
        } catch {
            return []
        }
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
        case let array as [Any]:
            for (index, value) in array.enumerated() {
                let key = arrayEncoding.encode(key, atIndex: index)
                try append(value, under: key, to: &pairs, depth: depth + 1)
            }
        // Foundation ends the process where a date that is NaN is printed.
        case let date as Date where !date.timeIntervalSince1970.isFinite:
            throw .invalidDate(at: "\"\(key)\"")
        default:
            pairs.append((escape(key), escape(text(of: value))))
        }
    }

    /// `string` with every character percent-encoded but letters, digits and `-._~/?`
    /// (RFC 3986, section 3.4).
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

    private func text(of value: Any) -> String {
        // An NSNumber made of a boolean is told from a number by its type on Apple platforms, and
        // arrives as Bool on Linux. A number that is 0 or 1 must stay a number.
        if type(of: value) == Bool.self
            || value is NSNumber && (value as? NSNumber)?.isBoolean == true,
            let bool = value as? Bool
        {
            return boolEncoding.encode(bool)
        }
        // A value inside an optional is what is meant, and none is the empty text.
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional {
            return mirror.children.first.map { text(of: $0.value) } ?? ""
        }
        let written = "\(value)"
        // So NSNumber describes it on Apple platforms, and so Moya sends it there.
        let isWhole =
            written.hasSuffix(".0") && (value is any BinaryFloatingPoint || value is NSNumber)
        return isWhole ? String(written.dropLast(2)) : written
    }
}

extension NSNumber {
    /// Whether this number was made of a boolean.
    fileprivate var isBoolean: Bool {
        // Foundation keeps two shared instances for the booleans, on every platform.
        self === (true as NSNumber) || self === (false as NSNumber)
    }
}

extension CharacterSet {
    /// What may stand in a query's key or value as it is.
    static let queryValueAllowed = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/?")
}
