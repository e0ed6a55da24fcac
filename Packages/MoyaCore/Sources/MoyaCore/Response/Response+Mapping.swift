import Foundation

extension Response {
    /// Returns the body as a JSON object: a dictionary, an array or a single value.
    ///
    /// - Parameter failsOnEmptyData: Whether an empty body is an error. Otherwise it results in
    ///   `NSNull`.
    /// - Throws: ``MoyaError/jsonMapping(_:)``
    public func mapJSON(failsOnEmptyData: Bool = true) throws -> Any {
        if data.isEmpty && !failsOnEmptyData { return NSNull() }
        do {
            return try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
        } catch {
            throw MoyaError.jsonMapping(self)
        }
    }

    /// Returns the body as UTF-8 text, or the string at a key path of its JSON.
    ///
    /// - Parameter keyPath: Path of the string in the JSON: names joined by dots.
    /// - Throws: ``MoyaError/stringMapping(_:)`` if the body is not UTF-8 or has no string at the
    ///   key path; ``MoyaError/jsonMapping(_:)`` if a key path is given and the body is not JSON.
    public func mapString(atKeyPath keyPath: String? = nil) throws -> String {
        let text =
            if let keyPath {
                JSONKeyPath.value(at: keyPath, in: try mapJSON()) as? String
            } else {
                String(data: data, encoding: .utf8)
            }
        guard let text else { throw MoyaError.stringMapping(self) }
        return text
    }

    /// Decodes the body, or a part of its JSON.
    ///
    /// - Parameters:
    ///   - keyPath: Path of the value in the JSON: names joined by dots.
    ///   - decoder: Decodes the value. `nil` uses the decoder of ``coders`` for the body's
    ///     `Content-Type`. Without coders it is a `JSONDecoder`, as in Moya.
    ///   - failsOnEmptyData: Whether an empty body is an error. Otherwise the value is decoded from
    ///     `{}` or, if that fails, from `[{}]`.
    /// - Throws: ``MoyaError/jsonMapping(_:)`` if the body is not JSON or has no value at the key
    ///   path; ``MoyaError/objectMapping(_:_:)`` if the value cannot be decoded.
    public func map<Value: Decodable>(
        _ type: Value.Type, atKeyPath keyPath: String? = nil,
        using decoder: JSONDecoder? = nil, failsOnEmptyData: Bool = true
    ) throws -> Value {
        try map(
            type, atKeyPath: keyPath, with: decoder ?? coders.decoder(for: self),
            failsOnEmptyData: failsOnEmptyData)
    }

    private func map<Value: Decodable>(
        _ type: Value.Type, atKeyPath keyPath: String?, with decoder: any BodyDecoder,
        failsOnEmptyData: Bool
    ) throws -> Value {
        let json = try self.json(atKeyPath: keyPath, failsOnEmptyData: failsOnEmptyData)
        if json.isEmpty && !failsOnEmptyData {
            // The substitutes are JSON, whatever the format of the body would be.
            let decoder = decoder as? JSONDecoder ?? JSONDecoder()
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

    /// Decodes the body with the decoder for its `Content-Type`, from ``coders``.
    ///
    /// An empty body is decoded as `nil` if `type` is an optional.
    ///
    /// - Parameter coders: Coders to use instead of ``coders``.
    /// - Throws: ``MoyaError/objectMapping(_:_:)``
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, using coders: Coders? = nil
    ) throws -> Value {
        if data.isEmpty, let none = Self.none(of: type) { return none }
        do {
            return try (coders ?? self.coders).decoder(for: self).decode(type, from: data)
        } catch {
            throw MoyaError.objectMapping(error, self)
        }
    }

    /// Decodes the body, or a part of its JSON, with `decoder` or the decoder for its
    /// `Content-Type`.
    func value<Value: Decodable>(
        _ type: Value.Type, atKeyPath keyPath: String?, using decoder: JSONDecoder?,
        or coders: Coders, failsOnEmptyData: Bool
    ) throws(MoyaError) -> Value {
        if data.isEmpty, failsOnEmptyData, let none = Self.none(of: type) { return none }
        do {
            return try map(
                type, atKeyPath: keyPath, with: decoder ?? coders.decoder(for: self),
                failsOnEmptyData: failsOnEmptyData)
        } catch {
            throw MoyaError(wrapping: error)
        }
    }

    /// Returns the `nil` of an optional type, which an empty body is decoded as. Returns `nil` for
    /// other types.
    static func none<Value>(of type: Value.Type) -> Value? {
        guard let optional = type as? any ExpressibleByNilLiteral.Type else { return nil }
        return optional.init(nilLiteral: ()) as? Value
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

extension Coders {
    /// Returns the decoder for the body of `response`.
    fileprivate func decoder(for response: Response) -> any BodyDecoder {
        decoder(for: hasSpecificDecoders ? response.header("Content-Type") : nil)
    }
}

/// Key-value access to JSON. Replaces `value(forKeyPath:)`, which Linux lacks.
enum JSONKeyPath {
    /// Returns the value at `keyPath` (names joined by dots), or `nil`. For an array, collects the
    /// value of each element.
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
