import Foundation

extension Response {
    /// The body as a JSON object: a dictionary, an array, or a single value.
    ///
    /// - Parameter failsOnEmptyData: Whether an empty body is an error. Otherwise it is `NSNull`.
    /// - Throws: ``MoyaError/jsonMapping(_:)``
    public func mapJSON(failsOnEmptyData: Bool = true) throws -> Any {
        if data.isEmpty && !failsOnEmptyData { return NSNull() }
        do {
            return try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
        } catch {
            throw MoyaError.jsonMapping(self)
        }
    }

    /// The body as text, or a text inside of its JSON.
    ///
    /// - Parameter keyPath: Where in the JSON the text stands, names joined by dots.
    /// - Throws: ``MoyaError/stringMapping(_:)`` where there is none or it is not UTF-8;
    ///   ``MoyaError/jsonMapping(_:)`` where a key path was given and the body is no JSON.
    public func mapString(atKeyPath keyPath: String? = nil) throws -> String {
        guard let keyPath else {
            guard let text = String(data: data, encoding: .utf8) else {
                throw MoyaError.stringMapping(self)
            }
            return text
        }
        guard let text = JSONKeyPath.value(at: keyPath, in: try mapJSON()) as? String else {
            throw MoyaError.stringMapping(self)
        }
        return text
    }

    /// The body, or a part of its JSON, decoded.
    ///
    /// - Parameters:
    ///   - keyPath: Where in the JSON the value stands, names joined by dots.
    ///   - failsOnEmptyData: Whether an empty body is an error. Otherwise the value is decoded from
    ///     `{}` or, if that does not do, from `[{}]`.
    /// - Throws: ``MoyaError/jsonMapping(_:)`` where the body is no JSON or has nothing at the key
    ///   path; ``MoyaError/objectMapping(_:_:)`` where the value cannot be decoded.
    public func map<Value: Decodable>(
        _ type: Value.Type, atKeyPath keyPath: String? = nil,
        using decoder: JSONDecoder = JSONDecoder(), failsOnEmptyData: Bool = true
    ) throws -> Value {
        let json = try self.json(atKeyPath: keyPath, failsOnEmptyData: failsOnEmptyData)
        if json.isEmpty && !failsOnEmptyData {
            for substitute in ["{}", "[{}]"] {
                if let value = try? decoder.decode(Value.self, from: Data(substitute.utf8)) {
                    return value
                }
            }
        }
        do {
            return try decoder.decode(Value.self, from: json)
        } catch {
            throw MoyaError.objectMapping(error, self)
        }
    }

    /// The body decoded by the decoder for its `Content-Type`, of the coders of the provider that made the request: see
    /// ``Coders``. JSON for a response made by hand.
    ///
    /// An empty body is `nil` where `type` is an optional.
    ///
    /// - Parameter coders: Stand in for those of the provider.
    /// - Throws: ``MoyaError/objectMapping(_:_:)``
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, using coders: Coders? = nil
    ) throws -> Value {
        if data.isEmpty, let optional = Value.self as? any ExpressibleByNilLiteral.Type,
            let none = optional.init(nilLiteral: ()) as? Value
        {
            return none
        }
        do {
            return try (coders ?? self.coders).decoder(for: header("Content-Type"))
                .decode(type, from: data)
        } catch {
            throw MoyaError.objectMapping(error, self)
        }
    }

    private func json(atKeyPath keyPath: String?, failsOnEmptyData: Bool) throws -> Data {
        guard let keyPath else { return data }
        let whole = try mapJSON(failsOnEmptyData: failsOnEmptyData)
        guard let part = JSONKeyPath.value(at: keyPath, in: whole) else {
            guard !failsOnEmptyData else { throw MoyaError.jsonMapping(self) }
            return data
        }
        do {
            return try JSONSerialization.data(withJSONObject: part, options: .fragmentsAllowed)
        } catch {
            throw MoyaError.jsonMapping(self)
        }
    }
}

/// Walks through JSON as key-value coding does, which not every platform has.
enum JSONKeyPath {
    /// The value at `keyPath` (names joined by dots), or `nil`. A name asked of an array is asked of each
    /// of its elements.
    static func value(at keyPath: String, in json: Any) -> Any? {
        var current: Any? = json
        for name in keyPath.split(separator: ".", omittingEmptySubsequences: false) {
            current = current.flatMap { value(named: String(name), in: $0) }
        }
        return current
    }

    private static func value(named name: String, in json: Any) -> Any? {
        switch json {
        case let dictionary as [String: Any]: dictionary[name]
        case let array as [Any]: array.map { value(named: name, in: $0) ?? NSNull() }
        default: nil
        }
    }
}
