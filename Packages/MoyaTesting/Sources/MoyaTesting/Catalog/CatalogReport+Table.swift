import Foundation

extension CatalogReport {
    /// The report as a text table for a terminal, followed by the findings.
    public var table: String {
        var head = ["", "target", "method", "URL", "expects", "status", "bytes"]
        if isLive { head.append("ms") }
        var lines = [head]
        for row in rows {
            var cells = [
                row.outcome.symbol, Self.shortened(row.target), row.method, Self.shortened(row.url),
                Self.shortened(row.expectation), row.status.map(String.init) ?? "–",
                row.byteCount.map(String.init) ?? "–",
            ]
            if isLive { cells.append(row.duration?.inMilliseconds ?? "–") }
            lines.append(cells)
        }
        let parts = ["\(title), \(subtitle)", Self.aligned(lines), Self.list(findings), summary]
        return parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }

    /// Counts of targets, problems and warnings, as a sentence.
    var summary: String {
        "\(rows.count.counted("target")), \(problems.count.counted("problem")), "
            + "\(warnings.count.counted("warning"))."
    }

    /// Whether requests were sent.
    var isLive: Bool { rows.contains { $0.duration != nil } }

    private static func aligned(_ lines: [[String]]) -> String {
        let count = lines.first?.count ?? 0
        let widths = (0..<count).map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { cells in
            let padded = zip(cells.indices, cells).map { index, cell in
                let space = String(repeating: " ", count: widths[index] - cell.count)
                // Columns of numbers are right-aligned.
                return index >= 5 ? space + cell : cell + space
            }
            return padded.joined(separator: "  ").trimmingTrailingSpaces
        }
        .joined(separator: "\n")
    }

    private static func list(_ findings: [TargetProblem]) -> String {
        findings.map { finding in
            let outcome = finding.isWarning ? Outcome.warned : .failed
            let text = "\(finding.target.oneLine): \(finding.reason.oneLine)"
            return "\(outcome.symbol) [\(finding.check)] \(text)"
        }
        .joined(separator: "\n")
    }

    private static func shortened(_ text: String) -> String {
        let text = text.oneLine
        return text.count > 60 ? text.prefix(59) + "…" : text
    }
}

extension CatalogReport.Outcome {
    /// Symbol of the outcome.
    var symbol: String {
        switch self {
        case .passed: "✓"
        case .warned: "!"
        case .failed: "✗"
        case .skipped: "–"
        }
    }
}

extension Int {
    /// The number and its noun: `1 problem`, `2 problems`.
    func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}

extension TimeInterval {
    /// Milliseconds as text, with one fraction digit below 100.
    var inMilliseconds: String {
        let value = self * 1000
        return String(format: value < 100 ? "%.1f" : "%.0f", value)
    }
}

extension String {
    /// The text on one line. Control and format characters become spaces, because they could change
    /// what a terminal shows.
    fileprivate var oneLine: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map {
                    $0.properties.generalCategory == .control
                        || $0.properties.generalCategory == .format
                        ? " " : $0
                }))
    }

    fileprivate var trimmingTrailingSpaces: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
