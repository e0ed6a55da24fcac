import Foundation

extension JSONEncoder {
    /// An encoder with sorted keys: equal values have equal bytes, so that equal requests compare
    /// equal.
    static let sortingKeys: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return encoder
    }()

    /// This encoder, or a copy of it that sorts keys: the key order of a `JSONEncoder` differs from
    /// call to call. A subclass is returned unchanged, because it may override the encoding.
    var sortingKeys: JSONEncoder {
        guard type(of: self) == JSONEncoder.self, !outputFormatting.contains(.sortedKeys) else {
            return self
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = outputFormatting.union(.sortedKeys)
        encoder.dateEncodingStrategy = dateEncodingStrategy
        encoder.dataEncodingStrategy = dataEncodingStrategy
        encoder.nonConformingFloatEncodingStrategy = nonConformingFloatEncodingStrategy
        encoder.keyEncodingStrategy = keyEncodingStrategy
        encoder.userInfo = userInfo
        return encoder
    }
}
