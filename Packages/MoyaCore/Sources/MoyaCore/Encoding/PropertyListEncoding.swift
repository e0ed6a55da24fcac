import Foundation

/// Encodes parameters as a property list body.
///
/// Sets `Content-Type: application/x-plist` unless the request sets it.
public struct PropertyListEncoding: ParameterEncoding {
    /// An XML property list.
    public static let `default` = PropertyListEncoding()
    /// An XML property list.
    public static let xml = PropertyListEncoding(format: .xml)
    /// A binary property list.
    public static let binary = PropertyListEncoding(format: .binary)

    /// The format: `.xml` or `.binary`. Foundation cannot write the third format, OpenStep.
    public let format: PropertyListSerialization.PropertyListFormat
    /// The options of `PropertyListSerialization`.
    public let options: PropertyListSerialization.WriteOptions

    /// Creates an encoding. Defaults to XML.
    public init(
        format: PropertyListSerialization.PropertyListFormat = .xml,
        options: PropertyListSerialization.WriteOptions = 0
    ) {
        self.format = format
        self.options = options
    }

    /// - Throws: ``ParameterEncodingError`` for a value that is not valid in a property list or a
    ///   date that is not finite, with its path, and for a format that cannot be written.
    public func encode(
        _ urlRequest: any URLRequestConvertible, with parameters: Parameters?
    ) throws -> URLRequest {
        var request = try urlRequest.asURLRequest()
        guard let parameters else { return request }
        // Foundation throws an error for this format, but traps on Linux.
        guard format != .openStep else { throw ParameterEncodingError.openStep }
        try ParameterEncodingError.check(parameters, leaf: Self.check)
        request.setContentTypeIfAbsent("application/x-plist")
        request.httpBody = try PropertyListSerialization.data(
            fromPropertyList: parameters, format: format, options: options)
        return request
    }

    /// Throws if `value`, which is neither a dictionary nor an array, is not valid in a property
    /// list.
    private static func check(_ value: Any, at path: String) throws(ParameterEncodingError) {
        switch value {
        // Foundation writes such a date, but cannot read it.
        case let date as Date where !date.timeIntervalSinceReferenceDate.isFinite:
            throw .invalidDate(at: path)
        case is String, is Bool, is Date, is Data, is Double, is Float: break
        // Wider integers are not valid in a property list.
        case is Int, is Int8, is Int16, is Int32, is Int64: break
        case is UInt, is UInt8, is UInt16, is UInt32, is UInt64: break
        case let number as NSNumber
        where PropertyListSerialization.propertyList(number, isValidFor: .xml):
            break
        default: throw .invalidPropertyList(at: path, type: "\(type(of: value))")
        }
    }
}
