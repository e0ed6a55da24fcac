import Foundation

/// An encoder of bodies: `JSONEncoder`, `PropertyListEncoder`, or an encoder for another format.
public protocol BodyEncoder: Sendable {
    /// The `Content-Type` of a body whose target does not specify one.
    var contentType: String { get }

    /// Encodes a value into a body.
    ///
    /// - Throws: Any error. The request fails with it in ``MoyaError/encodableMapping(_:)``.
    func encode<Value: Encodable>(_ value: Value) throws -> Data
}

/// A decoder of bodies: `JSONDecoder`, `PropertyListDecoder`, or a decoder for another format.
public protocol BodyDecoder: Sendable {
    /// Decodes a value from a body.
    ///
    /// - Throws: Any error. The caller receives it in ``MoyaError/objectMapping(_:_:)``.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

extension JSONDecoder: BodyDecoder {}
extension PropertyListDecoder: BodyDecoder {}

extension JSONEncoder: BodyEncoder {
    /// `application/json` (RFC 8259).
    public var contentType: String { "application/json" }
}

extension PropertyListEncoder: BodyEncoder {
    /// `application/x-plist`, as in ``PropertyListEncoding``.
    public var contentType: String { "application/x-plist" }
}
