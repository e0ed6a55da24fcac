import Foundation
import MoyaCore
import MoyaStubs

/// Finds and reports differences from expected bodies.
enum Differences {
    /// Maximum number of characters of a body in a report.
    private static let bodyLimit = 500

    static func json(_ data: Data, _ expected: JSONValue, allowsMore: Bool) -> [String] {
        guard let actual = try? JSONDecoder().decode(JSONValue.self, from: data) else {
            return ["the body is not JSON"]
        }
        return actual.differences(from: expected, allowsMore: allowsMore).map(\.description)
    }

    /// Returns the first different line.
    static func text(_ data: Data, _ expected: String) -> [String] {
        guard let actual = String(data: data, encoding: .utf8) else {
            return ["the body is not text in UTF-8"]
        }
        guard actual != expected else { return [] }
        let lines = actual.split(separator: "\n", omittingEmptySubsequences: false)
        let wanted = expected.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, pair) in zip(lines, wanted).enumerated() where pair.0 != pair.1 {
            return ["line \(index + 1) is “\(pair.0)”, not “\(pair.1)”"]
        }
        return ["the text has \(lines.count) lines, not \(wanted.count)"]
    }

    /// Reports the differences. Returns `true` if there are none.
    static func report(
        _ differences: [String], _ what: String, showing body: Data? = nil,
        to reporter: IssueReporter, at place: SourcePlace
    ) -> Bool {
        guard !differences.isEmpty else { return true }
        let count = differences.count == 1 ? "one place" : "\(differences.count) places"
        var lines = ["\(what) is not as expected, in \(count):"] + differences.map { "  - \($0)" }
        if let body { lines.append("The body: \(shown(body))") }
        reporter.report(lines.joined(separator: "\n"), at: place)
        return false
    }

    private static func shown(_ body: Data) -> String {
        guard !body.isEmpty else { return "empty" }
        guard let text = String(data: Redaction.default.redact(body: body), encoding: .utf8) else {
            return "\(body.count) bytes"
        }
        return text.count > bodyLimit ? "\(text.prefix(bodyLimit))…" : text
    }
}
