import Foundation
import MoyaCore

/// A request has no stub. The text names the request, the existing stubs, the nearest of them, and
/// how to add a stub.
public struct MissingStubError: Error, LocalizedError, CustomStringConvertible {
    /// The request, the existing stubs, and how to add a stub.
    public let description: String
    /// The ``description``.
    public var errorDescription: String? { description }

    private static let listLimit = 12

    init(_ request: TransportRequest, rules: [StubRegistry.Rule], hint: StubHint) {
        var lines: [String] = []
        if let usedUp = rules.last(where: { $0.misses(request).isEmpty }) {
            let count = usedUp.sequence.withLock(\.count)
            lines.append(
                "No stub is left for \(hint.name): \(usedUp.name) (\(usedUp.place)) was for "
                    + "\(count) request\(count == 1 ? "" : "s"), and this is one more.")
        } else {
            lines.append("No stub matches \(hint.name).")
        }
        lines += Self.list(of: rules)
        let candidates = rules.reversed().map { (name: $0.name, misses: $0.misses(request)) }
        if let nearest = RequestMatcher.Miss.nearest(of: candidates) { lines.append(nearest) }
        lines.append(hint.fix)
        description = lines.joined(separator: "\n")
    }

    private static func list(of rules: [StubRegistry.Rule]) -> [String] {
        guard !rules.isEmpty else { return ["Nothing is stubbed."] }
        let shown = rules.reversed().prefix(Self.listLimit).map { rule in
            let used = rule.sequence.withLock(\.isUsedUp) ? ", used up" : ""
            return "  - \(rule.name) (\(rule.place))\(used)"
        }
        let rest = rules.count - shown.count
        return ["Stubbed, in the order in which they are asked:"] + shown
            + (rest > 0 ? ["  - and \(rest) more"] : [])
    }
}
