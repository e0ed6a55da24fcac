import Foundation
import MoyaInternals

/// Random numbers that are the same for the same seed (SplitMix64).
///
/// ```swift
/// var random = SeededGenerator()  // of this test, by the seed of the process
/// let pause = Double.random(in: 0...1, using: &random)
/// ```
///
/// The environment variable `MOYA_SEED` sets the seed of the process, so that a run that failed can be repeated.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    /// The name of the environment variable with the seed: `MOYA_SEED`.
    public static let variable = "MOYA_SEED"
    /// The seed of this process, from which every test derives its random numbers.
    public static let processSeed =
        (try? namedSeed.get()) ?? UInt64.random(in: 0...UInt64(UInt32.max))

    /// The seed that the environment names, or the reason why it is none. `nil` where the environment names no seed.
    public static let namedSeed = Result {
        try seed(from: ProcessInfo.processInfo.environment[variable] ?? "")
    }

    /// - Returns: `nil` if `text` is empty.
    /// - Throws: ``UnreadableSeed`` unless `text` is a number that a seed may be.
    static func seed(from text: String) throws -> UInt64? {
        if text.isEmpty { return nil }
        guard let seed = UInt64(text) else { throw UnreadableSeed(text: text) }
        return seed
    }

    /// The environment names a seed that is no number, or too large.
    public struct UnreadableSeed: Error, CustomStringConvertible {
        let text: String

        /// The text, and which numbers a seed may be.
        public var description: String {
            "\(variable) must be a number from 0 to \(UInt64.max), not '\(text)'."
        }
    }

    private var generator: SplitMix64

    /// Starts from `seed`.
    public init(seed: UInt64) { generator = SplitMix64(seed: seed) }

    /// The random numbers of one test, whichever tests run beside it.
    ///
    /// - Parameter number: The number of the case, where one test has several.
    public init(_ test: String = #function, case number: Int = 0) {
        self.init(name: test, processSeed: Self.processSeed, case: number)
    }

    /// The random numbers of what is called `name`, such as one connection of a test, derived from `processSeed`.
    ///
    /// - Parameter number: The number of the case, where there are several of one name.
    public init(name: String, processSeed: UInt64, case number: Int = 0) {
        // FNV-1a: the same in every process.
        let hash = name.utf8.reduce(processSeed ^ 0xcbf2_9ce4_8422_2325) {
            ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3
        }
        self.init(seed: hash ^ UInt64(truncatingIfNeeded: number))
        // Seeds that are neighbours begin alike.
        _ = next()
    }

    /// The next 64 random bits.
    public mutating func next() -> UInt64 { generator.next() }
}
