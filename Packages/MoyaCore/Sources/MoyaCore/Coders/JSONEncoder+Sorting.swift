import Foundation

extension JSONEncoder {
    /// Equal values give equal bytes, so that equal requests can be told.
    static let sortingKeys: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return encoder
    }()

    /// This encoder, or one with the same settings that sorts keys: `JSONEncoder` writes them in another order each time
    /// otherwise. A subclass may write what it likes, and stays as it is.
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
