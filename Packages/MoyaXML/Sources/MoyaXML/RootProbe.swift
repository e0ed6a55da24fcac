#if XML
    import Foundation

    /// Determines whether a value is text in XML, such as a number or an enum with raw values,
    /// instead of an element. Encodes the value up to its first container.
    final class RootProbe: Encoder {
        let codingPath: [any CodingKey] = []
        let userInfo: [CodingUserInfoKey: Any] = [:]
        /// `nil` before the first container.
        private var isText: Bool?

        private struct Stop: Error {}

        static func isText(_ value: some Encodable) -> Bool {
            let probe = RootProbe()
            // The encoder throws the value's own errors as well.
            try? probe.encode(value)
            return probe.isText ?? false
        }

        private func encode(_ value: some Encodable) throws {
            // XMLCoder encodes these as text, whatever container their types use.
            if value is Date || value is Data || value is URL || value is Decimal {
                decide(isText: true)
            } else {
                try value.encode(to: self)
            }
        }

        private func decide(isText decided: Bool) {
            isText = isText ?? decided
        }

        func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
            decide(isText: false)
            return KeyedEncodingContainer(Keyed<Key>(probe: self))
        }

        func unkeyedContainer() -> any UnkeyedEncodingContainer {
            decide(isText: false)
            return Unkeyed(probe: self)
        }

        func singleValueContainer() -> any SingleValueEncodingContainer { Single(probe: self) }

        private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
            let probe: RootProbe
            var codingPath: [any CodingKey] { [] }

            func encodeNil(forKey key: Key) throws { throw Stop() }
            func encode(_ value: some Encodable, forKey key: Key) throws { throw Stop() }

            func nestedContainer<Nested: CodingKey>(
                keyedBy type: Nested.Type, forKey key: Key
            ) -> KeyedEncodingContainer<Nested> { probe.container(keyedBy: type) }

            func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
                probe.unkeyedContainer()
            }

            func superEncoder() -> any Encoder { probe }
            func superEncoder(forKey key: Key) -> any Encoder { probe }
        }

        private struct Unkeyed: UnkeyedEncodingContainer {
            let probe: RootProbe
            var codingPath: [any CodingKey] { [] }
            var count: Int { 0 }

            func encodeNil() throws { throw Stop() }
            func encode(_ value: some Encodable) throws { throw Stop() }

            func nestedContainer<Nested: CodingKey>(
                keyedBy type: Nested.Type
            ) -> KeyedEncodingContainer<Nested> { probe.container(keyedBy: type) }

            func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
                probe.unkeyedContainer()
            }

            func superEncoder() -> any Encoder { probe }
        }

        private struct Single: SingleValueEncodingContainer {
            let probe: RootProbe
            var codingPath: [any CodingKey] { [] }

            func encodeNil() throws { probe.decide(isText: true) }
            func encode(_ value: some Encodable & LosslessStringConvertible) throws {
                probe.decide(isText: true)
            }
            func encode(_ value: some Encodable) throws { try probe.encode(value) }
        }
    }
#endif
