import Foundation
import MoyaStubs

extension Options {
    /// Returns the random number generator of a case. The same seed gives the same numbers,
    /// whichever other cases run.
    func generator(forCase number: Int) -> SeededGenerator { SeededGenerator("soak", case: number) }
}

extension SeededGenerator {
    /// Returns `count` random bytes. Half of the bits are zero, so that the bytes are compressible.
    mutating func bytes(_ count: Int) -> Data {
        let words = (0..<(count + 7) / 8).map { _ in next() & 0x0F0F_0F0F_0F0F_0F0F }
        return words.withUnsafeBytes { Data($0.prefix(count)) }
    }
}
