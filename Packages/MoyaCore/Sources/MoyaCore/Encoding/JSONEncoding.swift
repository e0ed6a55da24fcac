import Foundation

/// Encodes parameters as a JSON body. Keys are sorted, so that equal parameters produce equal
/// bytes.
///
/// Sets `Content-Type: application/json` unless the request sets it.
public struct JSONEncoding: ParameterEncoding {
    /// Compact JSON.
    public static let `default` = JSONEncoding()
    /// JSON with line breaks and indentation.
    public static let prettyPrinted = JSONEncoding(options: .prettyPrinted)

    /// The options of `JSONSerialization`.
    public let options: JSONSerialization.WritingOptions

    /// Creates an encoding with `JSONSerialization` options. Keys are always sorted.
    public init(options: JSONSerialization.WritingOptions = []) {
        self.options = options
    }

    public func encode(
        _ urlRequest: any URLRequestConvertible, with parameters: Parameters?
    ) throws -> URLRequest {
        try encode(urlRequest, withJSONObject: parameters)
    }

    /// Encodes any JSON object as the body, for example a top-level array.
    ///
    /// - Throws: ``ParameterEncodingError`` for a value that is not valid in JSON, with its path.
    public func encode(
        _ urlRequest: any URLRequestConvertible, withJSONObject jsonObject: Any? = nil
    ) throws -> URLRequest {
        var request = try urlRequest.asURLRequest()
        guard let jsonObject else { return request }
        // `JSONSerialization` traps on some invalid values.
        try ParameterEncodingError.check(jsonObject, leaf: Self.check)
        request.setContentTypeIfAbsent("application/json")
        request.httpBody = try JSONSerialization.data(
            withJSONObject: jsonObject, options: options.union([.sortedKeys, .fragmentsAllowed]))
        return request
    }
}

extension JSONEncoding {
    /// Throws if `value`, which is neither a dictionary nor an array, is not valid in JSON.
    private static func check(_ value: Any, at path: String) throws(ParameterEncodingError) {
        switch value {
        case is String, is NSNull, is Bool: break
        case let number as Double where !number.isFinite:
            throw .invalidJSON(at: path, type: "\(number)")
        default:
            guard JSONSerialization.isValidJSONObject([value]) else {
                throw .invalidJSON(at: path, type: "\(type(of: value))")
            }
        }
    }
}
