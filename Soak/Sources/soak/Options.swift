import Foundation

/// What a part is to do. `scripts/soak` fills it in.
struct Options: Sendable {
    enum Part: String { case requests, mixed, cancels, downloads }
    enum Carrier: String { case curl, foundation }

    struct Mistake: Error, CustomStringConvertible { let description: String }

    let part: Part
    var carrier = Carrier.curl
    var seed: UInt64 = 0
    /// The most cases.
    var count = 0
    /// The most seconds. `nil` is as long as the cases take.
    var seconds: Double?
    /// The only case to run.
    var only: Int?

    init(_ arguments: [String]) throws {
        guard let part = arguments.first.flatMap(Part.init) else {
            throw Mistake(description: "no part \(arguments.first ?? "")")
        }
        self.part = part
        var rest = arguments.dropFirst()
        while let name = rest.popFirst() {
            guard let value = rest.popFirst() else {
                throw Mistake(description: "\(name) has no value")
            }
            switch name {
            case "--transport": carrier = try Self.read(name, value, Carrier.init)
            case "--seed": seed = try Self.read(name, value, { UInt64($0) })
            case "--count": count = try Self.read(name, value, { Int($0) })
            case "--seconds": seconds = try Self.read(name, value, { Double($0) })
            case "--case": only = try Self.read(name, value, { Int($0) })
            default: throw Mistake(description: "no option \(name)")
            }
        }
    }

    /// The command that repeats the run.
    var command: String {
        let hasCarrier = part == .mixed || part == .cancels
        return "scripts/soak --only \(part) --seed \(seed)"
            + (hasCarrier ? " --transport \(carrier)" : "")
    }

    private static func read<Value>(
        _ name: String, _ text: String, _ parse: (String) -> Value?
    ) throws -> Value {
        guard let value = parse(text) else { throw Mistake(description: "\(name) \(text)") }
        return value
    }

    /// The random numbers of one case: the same for the same seed, whichever cases run beside it.
    func generator(forCase number: Int) -> SeededGenerator {
        SeededGenerator(seed: seed, case: number)
    }
}

/// Random numbers that are the same for the same seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64, case number: Int) {
        state = seed
        // Through the mixer, as neighbouring seeds begin alike.
        state = next() ^ UInt64(truncatingIfNeeded: number)
        state = next()
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    /// `count` bytes. Half of the bits are zero, so that they can be compressed.
    mutating func bytes(_ count: Int) -> Data {
        let words = (0..<(count + 7) / 8).map { _ in next() & 0x0F0F_0F0F_0F0F_0F0F }
        return words.withUnsafeBytes { Data($0.prefix(count)) }
    }
}
