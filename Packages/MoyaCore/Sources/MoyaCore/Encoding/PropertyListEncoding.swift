import Foundation

/// Puts parameters into the body as a property list.
///
/// Sets `Content-Type: application/x-plist` unless the request has one.
public struct PropertyListEncoding: ParameterEncoding {
    /// XML.
    public static let `default` = PropertyListEncoding()
    /// XML.
    public static let xml = PropertyListEncoding(format: .xml)
    /// Binary.
    public static let binary = PropertyListEncoding(format: .binary)

    /// How the property list is written: `.xml` or `.binary`. The third format, OpenStep's, can only be read.
    public let format: PropertyListSerialization.PropertyListFormat
    /// Passed on to `PropertyListSerialization`.
    public let options: PropertyListSerialization.WriteOptions

    /// Puts parameters into the body in `format`, XML unless you say otherwise.
    public init(
        format: PropertyListSerialization.PropertyListFormat = .xml,
        options: PropertyListSerialization.WriteOptions = 0
    ) {
        self.format = format
        self.options = options
    }

    /// - Throws: ``ParameterEncodingError`` for a value that a property list cannot hold and for a date that is not finite,
    ///   with its place, and for a format that cannot be written.
    public func encode(
        _ urlRequest: any URLRequestConvertible, with parameters: Parameters?
    ) throws -> URLRequest {
        var request = try urlRequest.asURLRequest()
        guard let parameters else { return request }
        // Foundation on Linux ends the process over it, and elsewhere throws.
        guard format != .openStep else { throw ParameterEncodingError.openStep }
        for (key, value) in parameters { try Self.check(value, at: "\"\(key)\"") }
        request.setContentTypeIfAbsent("application/x-plist")
        request.httpBody = try PropertyListSerialization.data(
            fromPropertyList: parameters, format: format, options: options)
        return request
    }

    private static func check(
        _ value: Any, at path: String, depth: Int = 1
    ) throws(ParameterEncodingError) {
        guard depth < ParameterEncodingError.maximumDepth else { throw .tooDeep }
        switch value {
        case let dictionary as [String: Any]:
            for (key, value) in dictionary {
                try check(value, at: "\(path).\"\(key)\"", depth: depth + 1)
            }
        case let array as [Any]:
            for (index, value) in array.enumerated() {
                try check(value, at: "\(path)[\(index)]", depth: depth + 1)
            }
        // Foundation writes what it cannot read again.
        case let date as Date where !date.timeIntervalSinceReferenceDate.isFinite:
            throw .invalidDate(at: path)
        case is String, is Bool, is Date, is Data, is Double, is Float: break
        // Not every integer: a property list cannot hold those that are wider.
        case is Int, is Int8, is Int16, is Int32, is Int64: break
        case is UInt, is UInt8, is UInt16, is UInt32, is UInt64: break
        case let number as NSNumber
        where PropertyListSerialization.propertyList(number, isValidFor: .xml):
            break
        default: throw .invalidPropertyList(at: path, type: "\(type(of: value))")
        }
    }
}
