import Foundation

/// How the server of a conformance case sends its responses: in random pieces, which over TLS are pieces of its records, and with
/// its header fields in another form that means the same (HTTP/2: as they are).
///
/// A network cuts a response wherever it likes, and a proxy may change places and lines of fields. Nothing of that changes
/// what a response means, so a transport has to show each behaviour all the same.
struct Delivery: Sendable {
    /// Of the case that runs.
    @TaskLocal static var current: Delivery?

    private let name: String
    private let processSeed: UInt64

    /// The delivery of the case of this name. Each case has its own, whichever cases run beside it.
    init(forCase name: String, processSeed: UInt64 = SeededGenerator.processSeed) {
        self.name = name
        self.processSeed = processSeed
    }

    /// The random numbers for a response, by connection number and response number.
    func generator(connection: Int, response: Int) -> SeededGenerator {
        SeededGenerator(name: name, processSeed: processSeed, case: connection << 32 ^ response)
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
