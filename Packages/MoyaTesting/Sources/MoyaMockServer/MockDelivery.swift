import Foundation
import MoyaStubs

/// Sends responses as a network and its proxies may: in random pieces with short pauses, over TLS with its records split at
/// random offsets, and over HTTP/1.1 with header fields folded, repeated and in another order.
///
/// None of that changes what a response means. The same seed repeats it.
///
/// ```swift
/// let server = try MockServer(delivery: MockDelivery(seed: 7)) { _ in .text("hello") }
/// ```
public struct MockDelivery: Sendable {
    private let name: String
    private let seed: UInt64
    private let foldsFields: Bool

    /// - Parameters:
    ///   - name: Distinguishes tests that share `seed`.
    ///   - foldsFields: `false` for clients that cannot read a header field on more than one line.
    public init(_ name: String = "", seed: UInt64, foldsFields: Bool = true) {
        self.name = name
        self.seed = seed
        self.foldsFields = foldsFields
    }

    /// The random numbers for a response, by connection number and response number.
    func generator(connection: Int, response: Int) -> SeededGenerator {
        SeededGenerator(name: name, processSeed: seed, case: connection << 32 ^ response)
    }

    /// How the header fields of a response are written, by the random numbers for it.
    func layout(_ generator: SeededGenerator) -> FieldLayout {
        FieldLayout(generator, foldsFields: foldsFields)
    }
}

/// Cuts the bytes of one response into random pieces: single bytes, longer ones, or does not cut.
///
/// Cuts and pauses are few, so that a case takes some milliseconds longer and not more.
struct RandomPieces {
    private var generator: SeededGenerator
    /// The length of the longest piece.
    private let longest: Int
    private var cutsLeft = 200
    private var pausesLeft = 3

    init(_ generator: SeededGenerator) {
        var generator = generator
        longest = [Int.max, 1, 8, 100, 4096].randomElement(using: &generator) ?? .max
        self.generator = generator
    }

    /// The next piece of `count` bytes that are left: its length, and how many seconds to wait behind it.
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
