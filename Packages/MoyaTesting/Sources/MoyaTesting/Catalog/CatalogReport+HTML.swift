import Foundation
import MoyaCore

extension CatalogReport {
    /// Writes the report to a file, atomically: one HTML page without JavaScript, which loads no
    /// other resource.
    ///
    /// - Throws: Foundation's error if the file cannot be written.
    public func writeHTML(to file: URL) throws {
        try Data(html.utf8).write(to: file, options: .atomic)
    }

    /// The HTML page of the report.
    var html: String {
        """
        \(String.reportHead(title: "\(title.escaped): \(verdict.escaped)", style: CatalogStyle.sheet))
        <body>
        <header>
        <p class="kicker">API check · \(subtitle.escaped)</p>
        <h1>\(title.escaped)</h1>
        <p class="verdict \(problems.isEmpty ? warnings.isEmpty ? "passed" : "warned" : "failed")">\
        \(verdict.escaped)</p>
        <p class="date"><time datetime="\(isoDate)">\(isoDate)</time></p>
        </header>
        \(filters)
        <main>
        \(generalSection)\
        <div class="scroll" role="region" aria-label="Targets" tabindex="0">
        <table>
        <caption>\(summary.escaped)</caption>
        <thead><tr><th scope="col">State</th><th scope="col">Target</th><th scope="col">Request</th>\
        <th scope="col">Expects</th><th scope="col" class="number">Status</th>\
        <th scope="col" class="number">Size</th>\(isLive ? "<th scope=\"col\">Time</th>" : "")</tr></thead>
        \(rows.map(body(of:)).joined(separator: "\n"))
        </table>
        </div>
        \(isLive ? Self.legend : "")\
        </main>
        </body>
        </html>

        """
    }

    private var verdict: String {
        if !problems.isEmpty { return problems.count.counted("problem") }
        return warnings.isEmpty ? "All is well" : warnings.count.counted("warning")
    }

    private var isoDate: String {
        date.formatted(.iso8601.dateSeparator(.dash).timeSeparator(.colon)).escaped
    }

    // MARK: Filters

    /// Radio buttons. The style sheet hides rows according to the checked button.
    private var filters: String {
        let states: [(String, String, Int)] = [
            ("all", "All", rows.count), ("failed", "Failed", count(.failed)),
            ("warned", "Warned", count(.warned)), ("passed", "Passed", count(.passed)),
        ]
        let choices = states.map { id, label, count in
            """
            <input type="radio" name="state" id="show-\(id)"\(id == "all" ? " checked" : "")>\
            <label for="show-\(id)">\(label) <b>\(count)</b></label>
            """
        }
        return "<fieldset class=\"filter\"><legend>Show targets</legend>\n"
            + choices.joined(separator: "\n") + "\n</fieldset>"
    }

    private func count(_ outcome: Outcome) -> Int { rows.filter { $0.outcome == outcome }.count }

    // MARK: Rows

    private var generalSection: String {
        guard !general.isEmpty else { return "" }
        return "<section aria-label=\"About the catalog\" class=\"general\">\n"
            + Self.list(general, namesTarget: true) + "\n</section>\n"
    }

    private func body(of row: Row) -> String {
        let columns = isLive ? 7 : 6
        let details =
            row.findings.isEmpty
            ? ""
            : "\n<tr class=\"findings\"><td colspan=\"\(columns)\">"
                + Self.list(row.findings, namesTarget: false) + "</td></tr>"
        let checks = row.checks.map { "\($0): \(row.outcome(of: $0).word)" }
        return """
            <tbody data-state="\(row.outcome.id)"><tr>\
            <td><span class="state \(row.outcome.id)" title="\(checks.joined(separator: ", ").escaped)">\
            <span aria-hidden="true">\(row.outcome.symbol)</span> \(row.outcome.word)</span></td>\
            <th scope="row">\(row.target.escaped)</th>\
            <td class="request"><b>\(row.method.escaped)</b> <span>\(row.url.escaped)</span></td>\
            <td>\(row.expectation.escaped)</td>\
            <td class="number">\(row.status.map(String.init) ?? "–")</td>\
            <td class="number">\(row.byteCount.map(Self.size) ?? "–")</td>\
            \(isLive ? "<td class=\"time\">\(time(of: row))</td>" : "")</tr>\(details)</tbody>
            """
    }

    private static func list(_ findings: [TargetProblem], namesTarget: Bool) -> String {
        let items = findings.map { finding in
            let outcome = finding.isWarning ? Outcome.warned : .failed
            let name = namesTarget ? "<b>\(finding.target.escaped)</b> " : ""
            return
                "<li class=\"\(outcome.id)\"><span class=\"check\">\(finding.check.description.escaped)</span> "
                + "\(name)\(finding.reason.escaped)</li>"
        }
        return "<ul>" + items.joined() + "</ul>"
    }

    private static func size(_ count: Int) -> String {
        switch count {
        case ..<1024: "\(count) B"
        case ..<(1 << 20): String(format: "%.1f KiB", Double(count) / 1024)
        default: String(format: "%.1f MiB", Double(count) / 1_048_576)
        }
    }

    // MARK: Times

    private func time(of row: Row) -> String {
        guard let duration = row.duration else { return "–" }
        let longest = max(rows.compactMap(\.duration).max() ?? 0, .leastNonzeroMagnitude)
        let parts = row.phases.map { phase in
            let share = max(0, phase.seconds) / longest * 100
            return "<i class=\"\(phase.id)\" style=\"width:\(String(format: "%.2f", share))%\"></i>"
        }
        let told = row.phases.map { "\($0.id) \($0.seconds.inMilliseconds) ms" }
            .joined(separator: ", ")
        return
            "<span class=\"bar\" role=\"img\" aria-label=\"\(told.escaped)\" title=\"\(told.escaped)\">"
            + parts.joined() + "</span> <span class=\"ms\">\(duration.inMilliseconds) ms</span>"
    }

    private static let legend = """
        <p class="legend"><i class="connect"></i> connecting <i class="secure"></i> TLS handshake \
        <i class="wait"></i> waiting for the answer <i class="receive"></i> receiving it</p>

        """
}

extension CatalogReport.Row {
    /// Phases of the response time, in order. A single phase if the transport has no metrics.
    fileprivate var phases: [(id: String, seconds: TimeInterval)] {
        guard let duration else { return [] }
        guard let metrics, let firstByte = metrics.firstByte else { return [("wait", duration)] }
        let connected = min(metrics.connect ?? 0, firstByte)
        let secured = min(max(metrics.secureConnect ?? connected, connected), firstByte)
        return [
            ("connect", connected), ("secure", secured - connected), ("wait", firstByte - secured),
            ("receive", max(0, (metrics.total ?? duration) - firstByte)),
        ]
        .filter { $0.1 > 0 }
    }
}

extension CatalogReport.Outcome {
    fileprivate var id: String { word.lowercased() }

    fileprivate var word: String {
        switch self {
        case .passed: "Passed"
        case .warned: "Warned"
        case .failed: "Failed"
        case .skipped: "Skipped"
        }
    }
}
