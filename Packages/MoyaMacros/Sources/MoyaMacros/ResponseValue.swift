import Foundation
import MoyaCore

/// What a response is decoded into, and what a sample of it is encoded as. Used by the code that `@API` writes.
public struct ResponseValue<Value: Sendable>: Sendable {
    private let hasBody: Bool?
    private let decode: @Sendable (Response) throws -> Value

    private init(hasBody: Bool?, decode: @escaping @Sendable (Response) throws -> Value) {
        self.hasBody = hasBody
        self.decode = decode
    }

    /// The value of a response.
    ///
    /// - Throws: `MoyaError/objectMapping(_:_:)` or `MoyaError/stringMapping(_:)`.
    public func value(of response: Response) throws -> Value { try decode(response) }

    /// A case of an API with this response.
    public func listed<Target>(_ name: String, example: Target?) -> ListedCase<Target> {
        ListedCase(name: name, example: example, response: "\(Value.self)", hasBody: hasBody) {
            _ = try decode($0)
        }
    }
}

extension ResponseValue where Value: Decodable {
    /// Decoded by the provider's `Coders`.
    public init() {
        let isOptional = Value.self is any ExpressibleByNilLiteral.Type
        self.init(hasBody: isOptional ? nil : true) { try $0.decode(Value.self) }
    }
}

extension ResponseValue where Value: Encodable {
    /// The body of a sample, as JSON with sorted keys. Empty where it cannot be encoded.
    public func data(of sample: Value) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(sample)) ?? Data()
    }
}

extension ResponseValue where Value == String {
    /// The string in a body of JSON, otherwise the body as text in UTF-8.
    public init() {
        self.init(hasBody: true) { try Text().decode($0, with: $0.coders) }
    }

    /// The text of a sample.
    public func data(of sample: String) -> Data { Data(sample.utf8) }
}

extension ResponseValue where Value == Data {
    /// The body as it is.
    public init() { self.init(hasBody: true) { $0.data } }

    /// The bytes of a sample.
    public func data(of sample: Data) -> Data { sample }
}

extension ResponseValue where Value == Response {
    /// The response as it is.
    public init() { self.init(hasBody: nil) { $0 } }

    /// The text of a sample.
    public func data(of sample: String) -> Data { Data(sample.utf8) }
}

extension ResponseValue where Value == Void {
    /// Nothing.
    public init() { self.init(hasBody: false) { _ in } }
}

/// Decodes text as targets with a `String` do.
private struct Text: ResponseTarget {
    typealias Response = String

    var baseURL: URL { URL(fileURLWithPath: "/") }
    var path: String { "" }
}
