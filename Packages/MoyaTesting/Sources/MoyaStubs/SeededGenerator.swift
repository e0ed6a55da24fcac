import Foundation
import MoyaInternals

/// Random number generator with a reproducible sequence for each seed (SplitMix64).
///
/// ```swift
/// var random = SeededGenerator()  // of this test, by the seed of the process
/// let pause = Double.random(in: 0...1, using: &random)
/// ```
///
/// The environment variable `MOYA_SEED` sets the seed of the process, to repeat a failed run.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    /// Name of the environment variable with the seed: `MOYA_SEED`.
    public static let variable = "MOYA_SEED"
    /// Seed of this process. Every test derives its random numbers from it.
    ///
    /// If `MOYA_SEED` is not a valid seed, the first use reports an issue, so that no test silently
    /// uses other numbers than the user wants to repeat.
    public static let processSeed: UInt64 = {
        do {
            if let seed = try namedSeed.get() { return seed }
        } catch {
            IssueReporter.standard.report("\(error)", at: SourcePlace())
        }
        return UInt64.random(in: 0...UInt64(UInt32.max))
    }()

    /// The seed in the environment, or the error if it is not valid. `nil` if the variable is not
    /// set.
    public static let namedSeed = Result {
        try seed(from: ProcessInfo.processInfo.environment[variable] ?? "")
    }

    /// Parses a seed.
    ///
    /// - Returns: `nil` if `text` is empty.
    /// - Throws: `UnreadableSeed` unless `text` is an integer from 0 to `UInt64.max`.
    static func seed(from text: String) throws -> UInt64? {
        if text.isEmpty { return nil }
        guard let seed = UInt64(text) else { throw UnreadableSeed(text: text) }
        return seed
    }

    /// The seed in the environment is not a number from 0 to `UInt64.max`.
    struct UnreadableSeed: Error, CustomStringConvertible {
        let text: String

        /// The text, and the valid range.
        var description: String {
            "\(variable) must be a number from 0 to \(UInt64.max), not '\(text)'."
        }
    }

    private var generator: SplitMix64

    /// Creates a generator with this seed.
    public init(seed: UInt64) { generator = SplitMix64(seed: seed) }

    /// Creates the generator of one test. Its numbers do not depend on other tests.
    ///
    /// - Parameters:
    ///   - test: Name of the test.
    ///   - number: Number of the case, for a test with several cases.
    public init(_ test: String = #function, case number: Int = 0) {
        self.init(name: test, processSeed: Self.processSeed, case: number)
    }

    /// Creates the generator of a named component, such as one connection of a test, derived from
    /// `processSeed`.
    ///
    /// - Parameters:
    ///   - name: Name of the component.
    ///   - processSeed: The seed to derive from.
    ///   - number: Number of the case, for several components with one name.
    public init(name: String, processSeed: UInt64, case number: Int = 0) {
        // FNV-1a, because Swift's `Hasher` differs between processes.
        let hash = name.utf8.reduce(processSeed ^ 0xcbf2_9ce4_8422_2325) {
            ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3
        }
        self.init(seed: hash ^ UInt64(truncatingIfNeeded: number))
        // The first numbers of adjacent seeds are similar.
        _ = next()
    }

    /// The next 64 random bits.
    public mutating func next() -> UInt64 { generator.next() }
}
