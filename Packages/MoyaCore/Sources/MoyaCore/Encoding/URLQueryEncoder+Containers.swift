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
    private(set) var count = 0
    var codingPath: [any CodingKey] { encoder.codingPath }

    private mutating func next() -> QueryValueEncoder {
        defer { count += 1 }
        return encoder.element(count)
    }

    mutating func encodeNil() throws {
        try next().write("", Optional<String>.none as Any)
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
