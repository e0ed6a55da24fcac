/// A dictionary whose keys are written as the names of fields.
///
/// Its own order is another one in each process. Equal requests must have equal URLs: recordings, caches and signatures
/// go by them.
protocol QueryDictionary {
    /// Sorted by name. `nil` where the keys are no names: keys and values are then written in turn, as an array.
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
    /// Writes a dictionary's fields sorted, and says whether there were any to sort.
    func encodeSorted(_ value: some Encodable) throws -> Bool {
        guard let fields = (value as? any QueryDictionary)?.sortedFields else { return false }
        for (key, value) in fields { try field(key).encode(value) }
        return true
    }
}
