import Foundation

/// Puts parameters into the body as JSON, with the keys sorted so that equal parameters give equal bytes.
///
/// Sets `Content-Type: application/json` unless the request has one.
public struct JSONEncoding: ParameterEncoding {
    /// Compact JSON.
    public static let `default` = JSONEncoding()
    /// JSON with line breaks and indentation.
    public static let prettyPrinted = JSONEncoding(options: .prettyPrinted)

    /// How the JSON is written.
    public let options: JSONSerialization.WritingOptions

    /// JSON written as `options` say. Its keys are sorted whatever they say.
    public init(options: JSONSerialization.WritingOptions = []) {
        self.options = options
    }

    public func encode(
        _ urlRequest: any URLRequestConvertible, with parameters: Parameters?
    ) throws -> URLRequest {
        try encode(urlRequest, withJSONObject: parameters)
    }

    /// Puts any JSON object into the body: a top-level array, for example.
    ///
    /// - Throws: ``ParameterEncodingError`` for a value that JSON cannot hold, with its place.
    public func encode(
        _ urlRequest: any URLRequestConvertible, withJSONObject jsonObject: Any? = nil
    ) throws -> URLRequest {
        var request = try urlRequest.asURLRequest()
        guard let jsonObject else { return request }
        // JSONSerialization ends the process on some values it cannot write.
        try Self.check(jsonObject, at: "the top")
        request.setContentTypeIfAbsent("application/json")
        request.httpBody = try JSONSerialization.data(
            withJSONObject: jsonObject, options: options.union([.sortedKeys, .fragmentsAllowed]))
        return request
    }
}

extension JSONEncoding {
    /// Throws where JSON cannot hold `value`.
    private static func check(
        _ value: Any, at path: String, depth: Int = 0
    ) throws(ParameterEncodingError) {
        guard depth < ParameterEncodingError.maximumDepth else { throw .tooDeep }
        switch value {
        case let dictionary as [String: Any]:
            for (key, value) in dictionary {
                try check(
                    value, at: depth == 0 ? "\"\(key)\"" : "\(path).\"\(key)\"", depth: depth + 1)
            }
        case let array as [Any]:
            for (index, value) in array.enumerated() {
                try check(value, at: "\(path)[\(index)]", depth: depth + 1)
            }
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
