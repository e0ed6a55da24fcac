import Foundation
import MoyaCore

/// Decodes responses into values, and encodes sample values. Used by the code that `@API`
/// generates.
public struct ResponseValue<Value: Sendable>: Sendable {
    private let hasBody: Bool?
    private let decode: @Sendable (Response) throws -> Value

    private init(hasBody: Bool?, decode: @escaping @Sendable (Response) throws -> Value) {
        self.hasBody = hasBody
        self.decode = decode
    }

    /// Returns the decoded value of a response.
    ///
    /// - Throws: `MoyaError/objectMapping(_:_:)` or `MoyaError/stringMapping(_:)`.
    public func value(of response: Response) throws -> Value { try decode(response) }

    /// Returns the catalog entry of a case with this response type.
    public func listed<Target>(_ name: String, example: Target?) -> ListedCase<Target> {
        ListedCase(name: name, example: example, response: "\(Value.self)", hasBody: hasBody) {
            _ = try decode($0)
        }
    }
}

extension ResponseValue where Value: Decodable {
    /// Creates a value decoded by the provider's `Coders`.
    public init() {
        let isOptional = Value.self is any ExpressibleByNilLiteral.Type
        self.init(hasBody: isOptional ? nil : true) { try $0.decode(Value.self) }
    }
}

extension ResponseValue where Value: Encodable {
    /// Returns the body of a sample, encoded by the provider's coders, or no bytes if the sample
    /// cannot be encoded.
    public func data(of sample: Value) -> Data {
        (try? Coders.ofSamples.encoder(for: nil).encode(sample)) ?? Data()
    }
}

extension ResponseValue where Value == String {
    /// Creates a value decoded from a JSON string, or from the body as UTF-8 text.
    public init() {
        self.init(hasBody: true) { try Text().decode($0, with: $0.coders) }
    }

    /// Returns the UTF-8 text of a sample.
    public func data(of sample: String) -> Data { Data(sample.utf8) }
}

extension ResponseValue where Value == Data {
    /// Creates a value that is the body itself.
    public init() { self.init(hasBody: true) { $0.data } }

    /// Returns the bytes of a sample.
    public func data(of sample: Data) -> Data { sample }
}

extension ResponseValue where Value == Response {
    /// Creates a value that is the response itself.
    public init() { self.init(hasBody: nil) { $0 } }

    /// Returns the UTF-8 text of a sample.
    public func data(of sample: String) -> Data { Data(sample.utf8) }
}

extension ResponseValue where Value == Void {
    /// Creates an empty value, for responses without a body.
    public init() { self.init(hasBody: false) { _ in } }
}

/// Decodes text like a `ResponseTarget` whose response is a `String`.
private struct Text: ResponseTarget {
    typealias Response = String

    var baseURL: URL { URL(fileURLWithPath: "/") }
    var path: String { "" }
}
