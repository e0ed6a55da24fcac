import Foundation
import MoyaStubs

/// Options of a part. `scripts/soak` passes them as arguments, and the seed in the environment
/// variable `SeededGenerator.variable`.
struct Options: Sendable {
    enum Part: String { case requests, mixed, cancels, downloads }
    enum Carrier: String { case curl, foundation }

    struct Mistake: Error, CustomStringConvertible { let description: String }

    let part: Part
    var carrier = Carrier.curl
    /// Maximum number of cases.
    var count = 0
    /// Maximum duration, in seconds. `nil` means no limit.
    var seconds: Double?
    /// Number of the only case to run. `nil` runs all cases.
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
            case "--count":
                count = try Self.read(name, value, { Int($0).flatMap { $0 > 0 ? $0 : nil } })
            case "--seconds":
                seconds = try Self.read(name, value, { Double($0).flatMap { $0 > 0 ? $0 : nil } })
            case "--case": only = try Self.read(name, value, { Int($0) })
            default: throw Mistake(description: "no option \(name)")
            }
        }
    }

    /// Shell command that repeats the run.
    var command: String {
        let hasCarrier = part == .mixed || part == .cancels
        return "scripts/soak --only \(part) --seed \(SeededGenerator.processSeed)"
            + (hasCarrier ? " --transport \(carrier)" : "")
    }

    private static func read<Value>(
        _ name: String, _ text: String, _ parse: (String) -> Value?
    ) throws -> Value {
        guard let value = parse(text) else { throw Mistake(description: "\(name) \(text)") }
        return value
    }
}
