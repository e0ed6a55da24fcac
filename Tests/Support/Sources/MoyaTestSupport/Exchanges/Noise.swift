import Foundation

/// Returns `count` incompressible bytes. The same `seed` gives the same bytes.
public func noise(_ count: Int, seed: UInt64 = 1) -> Data {
    var state = seed
    var words: [UInt32] = []
    words.reserveCapacity(count / 4 + 1)
    while words.count * 4 < count {
        // Knuth's MMIX generator.
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        words.append(UInt32(truncatingIfNeeded: state >> 32))
    }
    return words.withUnsafeBytes { Data($0.prefix(count)) }
}
