/// A dictionary whose keys are encoded as field names.
///
/// The order of a dictionary differs from process to process. Equal requests must have equal URLs,
/// because recordings, caches and signatures depend on them.
protocol QueryDictionary {
    /// The fields, sorted by name. `nil` if the keys are not coding keys: keys and values are then
    /// encoded alternately, as an array.
    var sortedFields: [(key: any CodingKey, value: any Encodable)]? { get }
}

extension Dictionary: QueryDictionary where Key: Encodable, Value: Encodable {
    var sortedFields: [(key: any CodingKey, value: any Encodable)]? {
        guard Key.self is any CodingKeyRepresentable.Type else { return nil }
        return compactMap { key, value in
            (key as? any CodingKeyRepresentable).map { ($0.codingKey, value) }
        }
        .sorted { $0.key.stringValue < $1.key.stringValue }
    }
}

extension QueryValueEncoder {
    /// Encodes the fields of a dictionary in sorted order. Returns `false` if `value` has no such
    /// fields.
    func encodeSorted(_ value: some Encodable) throws -> Bool {
        guard let fields = (value as? any QueryDictionary)?.sortedFields else { return false }
        for (key, value) in fields { try field(key).encode(value) }
        return true
    }
}
