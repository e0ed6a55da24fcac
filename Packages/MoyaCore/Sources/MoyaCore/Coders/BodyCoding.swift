import Foundation

/// Encodes values into bodies: `JSONEncoder`, `PropertyListEncoder`, or one for another format.
public protocol BodyEncoder: Sendable {
    /// The `Content-Type` of a body, for targets that name none.
    var contentType: String { get }

    /// The body of a value.
    ///
    /// - Throws: Why there is none. It becomes ``MoyaError/encodableMapping(_:)``.
    func encode<Value: Encodable>(_ value: Value) throws -> Data
}

/// Decodes values out of bodies: `JSONDecoder`, `PropertyListDecoder`, or one for another format.
public protocol BodyDecoder: Sendable {
    /// The value in a body.
    ///
    /// - Throws: Why there is none. It becomes ``MoyaError/objectMapping(_:_:)``.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

extension JSONDecoder: BodyDecoder {}
extension PropertyListDecoder: BodyDecoder {}

extension JSONEncoder: BodyEncoder {
    /// `application/json` (RFC 8259).
    public var contentType: String { "application/json" }
}

extension PropertyListEncoder: BodyEncoder {
    /// `application/x-plist`, as ``PropertyListEncoding`` has it.
    public var contentType: String { "application/x-plist" }
}
