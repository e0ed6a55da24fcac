import Foundation
import MoyaStubs

extension Options {
    /// The random numbers of one case: the same for the same seed, whichever cases run beside it.
    func generator(forCase number: Int) -> SeededGenerator { SeededGenerator("soak", case: number) }
}

extension SeededGenerator {
    /// `count` bytes. Half of the bits are zero, so that they can be compressed.
    mutating func bytes(_ count: Int) -> Data {
        let words = (0..<(count + 7) / 8).map { _ in next() & 0x0F0F_0F0F_0F0F_0F0F }
        return words.withUnsafeBytes { Data($0.prefix(count)) }
    }
}
