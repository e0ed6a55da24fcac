import Foundation
import MoyaStubs

extension ExplorationReport {
    /// Writes the report to a file, atomically: one HTML page with a timeline and a script for each
    /// finding. The page has no JavaScript and loads no other resource.
    ///
    /// - Throws: Foundation's error if the file cannot be written.
    public func writeHTML(to file: URL) throws {
        try Data(html.utf8).write(to: file, options: .atomic)
    }

    /// The HTML page of the report.
    var html: String {
        let verdict =
            switch findings.count {
            case 0: "Every promise was kept"
            case 1: "1 promise was broken"
            default: "\(findings.count) promises were broken"
            }
        return """
            \(String.reportHead(title: verdict, style: ExplorationStyle.sheet))
            <body>
            <header>
            <p class="kicker">Fault exploration</p>
            <h1 class="\(findings.isEmpty ? "passed" : "failed")">\(verdict)</h1>
            </header>
            <dl class="facts">\(facts.map { "<div><dt>\($0.0)</dt><dd>\($0.1)</dd></div>" }.joined())</dl>
            <main>
            \(findings.map(\.html).joined(separator: "\n"))
            \(plain.map { "<article><h2>Without a fault</h2>\($0.html)</article>" } ?? "")
            </main>
            \(Self.legend)
            </body>
            </html>

            """
    }

    private var facts: [(String, String)] {
        var facts = [
            ("Runs", "\(runs)"), ("Places", "\(siteCount)"),
            ("Faults", "\(faultCount)"), ("Faults in a run", "up to \(depth)"),
            ("Seed", "\(seed)"),
        ]
        if leftOut > 0 { facts.append(("Left out", "\(leftOut)")) }
        if unrepeatable > 0 { facts.append(("Not repeatable", "\(unrepeatable)")) }
        if !neverTested.isEmpty {
            facts.append(("Never tested", neverTested.joined(separator: "; ").escaped))
        }
        return facts
    }

    private static let legend = """
        <footer><p class="legend"><i class="bar"></i> a request under way <i class="bar struck"></i> with a fault \
        <b class="acted"></b> the server acts <b class="note"></b> what the flow notes. Times are virtual seconds.</p></footer>
        """
}

extension ExplorationReport.Finding {
    fileprivate var html: String {
        """
        <article class="finding">
        <h2>\(promise.escaped)</h2>
        <p class="reason">\(reason.escaped) \(timeline.ending.escaped)</p>
        <p class="faults">\(faults.isEmpty ? "Without a fault" : faults.map { "<span>\($0.escaped)</span>" }.joined(separator: " then ")) \
        <small>\(count == 1 ? "1 run" : "\(count) runs")</small></p>
        \(timeline.html)
        <details><summary>Script for a regression test</summary><pre><code>\(script.escaped)</code></pre></details>
        </article>
        """
    }
}

extension RunTimeline {
    /// A table with one row per request, with a bar from its start to its end, and one row per
    /// fault at a pause.
    fileprivate var html: String {
        let requestRows = exchanges.indices.flatMap { pauseRows(after: $0) + [row(exchanges[$0])] }
        let rows =
            requestRows + pauseRows(after: exchanges.count) + [notesRow].compactMap { $0 }
        return """
            <div class="scroll" role="region" aria-label="Timeline" tabindex="0"><table>
            <thead><tr><th scope="col">Request</th><th scope="col" class="axis"><span>0 s</span>\
            <span>\(Self.seconds(duration))</span></th><th scope="col">The flow got</th></tr></thead>
            <tbody>\(rows.joined(separator: "\n"))</tbody></table></div>
            """
    }

    private func row(_ exchange: ExploredExchange) -> String {
        let end = exchange.end ?? duration
        let width = max(place(end) - place(exchange.start), 0.6)
        let told =
            "\(exchange.name): \(Self.seconds(exchange.start)) to "
            + (exchange.end.map(Self.seconds) ?? "the end, without an answer")
        let acted = exchange.actionTime.map { time in
            "<b class=\"acted\" style=\"left:\(Self.percent(place(time)))\" title=\"The server acts\"></b>"
        }
        let fault = exchange.fault.map { "<span class=\"fault\">\($0.name.escaped)</span>" } ?? ""
        let restart = exchange.life > 0 ? " <small>start \(exchange.life + 1)</small>" : ""
        return """
            <tr\(exchange.fault == nil ? "" : " class=\"struck\"")>\
            <th scope="row">\(exchange.name.escaped)\(restart)\(fault)</th>\
            <td class="track"><i class="bar\(exchange.fault == nil ? "" : " struck")" role="img" \
            aria-label="\(told.escaped)" title="\(told.escaped)" \
            style="left:\(Self.percent(place(exchange.start)));width:\(Self.percent(width))"></i>\(acted ?? "")</td>\
            <td>\(exchange.reply.map(\.summary.escaped) ?? "nothing")</td></tr>
            """
    }

    /// Rows of the faults that occurred during a pause, after `requestCount` requests.
    private func pauseRows(after requestCount: Int) -> [String] {
        pauses.filter { $0.earlierRequests == requestCount }.map { pause in
            let told = "\(pause.fault.name), \(Self.seconds(pause.time))".escaped
            return """
                <tr class="struck">\
                <th scope="row">\(Site.pauseName)<span class="fault">\(pause.fault.name.escaped)</span></th>\
                <td class="track"><i class="bar struck" role="img" aria-label="\(told)" title="\(told)" \
                style="left:\(Self.percent(place(pause.time)));width:0.60%"></i></td>\
                <td>nothing</td></tr>
                """
        }
    }

    private var notesRow: String? {
        guard !notes.isEmpty else { return nil }
        let marks = notes.prefix(50).map { note in
            let text = "\(note.note.summary), \(Self.seconds(note.time))".escaped
            return
                "<b class=\"note\" style=\"left:\(Self.percent(place(note.time)))\" title=\"\(text)\"></b>"
        }
        let list = notes.prefix(6).map { $0.note.summary.escaped }.joined(separator: ", ")
        return "<tr><th scope=\"row\">The flow notes</th><td class=\"track\">\(marks.joined())</td>"
            + "<td>\(list)\(notes.count > 6 ? ", …" : "")</td></tr>"
    }

    /// Position of a time on the axis, in percent of the run's duration.
    private func place(_ time: TimeInterval) -> Double {
        duration > 0 ? min(max(time / duration * 100, 0), 100) : 0
    }

    private static func percent(_ value: Double) -> String { String(format: "%.2f%%", value) }

    private static func seconds(_ time: TimeInterval) -> String {
        "\(time.plain(2)) s"
    }
}

extension FlowNote {
    /// Description in a few words. Leaves out the response that a user sees.
    fileprivate var summary: String {
        switch self {
        case .mark(let text): text
        case .progress(let value, let name): "\(name): \(value.plain())"
        case .completion(let name): "\(name) completes"
        case .log(let line): "logs “\(line.prefix(80))”"
        case .shown(let data, let user): "\(user) sees \(data.count) bytes"
        }
    }
}
