struct QueryKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: QueryValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil(forKey key: Key) throws {}

    func encode(_ value: some Encodable, forKey key: Key) throws {
        try encoder.field(key).encode(value)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy keyType: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        encoder.field(key).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder.field(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder }
    func superEncoder(forKey key: Key) -> any Encoder { encoder.field(key) }
}

struct QueryUnkeyedContainer: UnkeyedEncodingContainer {
    let encoder: QueryValueEncoder
    /// The array, if its elements share a pair.
    let list: QueryList?
    private(set) var count = 0

    init(encoder: QueryValueEncoder, list: QueryList?) {
        self.encoder = encoder
        self.list = list
    }

    var codingPath: [any CodingKey] { encoder.codingPath }

    private mutating func next() -> QueryValueEncoder {
        defer { count += 1 }
        return encoder.element(count, of: list)
    }

    mutating func encodeNil() throws {
        let element = next()
        // A list has no text for a missing element (RFC 6570, section 3.2.1).
        if list == nil { try element.write("", Optional<String>.none as Any) }
    }

    mutating func encode(_ value: some Encodable) throws {
        try next().encode(value)
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy keyType: Nested.Type
    ) -> KeyedEncodingContainer<Nested> {
        next().container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        next().unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { next() }
}

struct QuerySingleValueContainer: SingleValueEncodingContainer {
    let encoder: QueryValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() throws {}
    func encode(_ value: Bool) throws { try encoder.encode(value) }
    func encode(_ value: some Encodable & LosslessStringConvertible) throws {
        try encoder.write("\(value)", value)
    }

    func encode(_ value: some Encodable) throws { try encoder.encode(value) }
}
