import Foundation
import MoyaStubs

/// Delivers responses as networks and proxies may: in random pieces with short pauses, over TLS
/// with records split at random offsets, and over HTTP/1.1 with header fields folded, repeated and
/// reordered.
///
/// The meaning of a response stays the same. The same seed repeats the delivery.
///
/// ```swift
/// let server = try MockServer(delivery: MockDelivery(seed: 7)) { _ in .text("hello") }
/// ```
public struct MockDelivery: Sendable {
    private let name: String
    private let seed: UInt64
    private let foldsFields: Bool

    /// Creates a delivery.
    ///
    /// - Parameters:
    ///   - name: Distinguishes tests that share `seed`.
    ///   - seed: Seed of the random numbers.
    ///   - foldsFields: Whether header fields may be folded. `false` for clients that cannot read a
    ///     header field on more than one line.
    public init(_ name: String = "", seed: UInt64, foldsFields: Bool = true) {
        self.name = name
        self.seed = seed
        self.foldsFields = foldsFields
    }

    /// Returns the random number generator of a response, given the numbers of its connection and
    /// of the response.
    func generator(connection: Int, response: Int) -> SeededGenerator {
        SeededGenerator(name: name, processSeed: seed, case: connection << 32 ^ response)
    }

    /// Returns the layout of a response's header fields.
    func layout(_ generator: SeededGenerator) -> FieldLayout {
        FieldLayout(generator, foldsFields: foldsFields)
    }
}

/// Cuts the bytes of one response into random pieces: single bytes, longer pieces, or one piece.
///
/// Limits the numbers of cuts and pauses, so that a test takes only some milliseconds longer.
struct RandomPieces {
    private var generator: SeededGenerator
    /// Maximum length of a piece.
    private let longest: Int
    private var cutsLeft = 200
    private var pausesLeft = 3

    init(_ generator: SeededGenerator) {
        var generator = generator
        longest = [Int.max, 1, 8, 100, 4096].randomElement(using: &generator) ?? .max
        self.generator = generator
    }

    /// Returns the length of the next piece, if `count` bytes are left, and the seconds to pause
    /// after it.
    mutating func next(of count: Int) -> (count: Int, pause: TimeInterval) {
        guard longest < .max, cutsLeft > 0, count > 0 else { return (count, 0) }
        cutsLeft -= 1
        let size = min(count, Int.random(in: 1...longest, using: &generator))
        guard pausesLeft > 0, Int.random(in: 0..<12, using: &generator) == 0 else {
            return (size, 0)
        }
        pausesLeft -= 1
        return (size, TimeInterval.random(in: 0.0005...0.003, using: &generator))
    }
}
