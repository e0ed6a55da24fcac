import Foundation

extension Terminal {
    /// One line for a step: success or failure, result and duration.
    func line(_ row: Row) -> String {
        let milliseconds = text(Self.milliseconds(row) + " ms", .faint)
        let line = "\(mark(row)) \(Self.pad(row.step, 26)) \(row.status)  \(milliseconds)"
        return ([line] + problems(row)).joined(separator: "\n")
    }

    /// Table of the same requests over each transport.
    func table(_ rows: [Row]) -> String {
        let head = Self.line(["transport", "request", "result", "bytes", "ms", "protocol"])
        let lines = rows.map { row in
            let cells = [
                row.transport, row.step, row.status, "\(row.byteCount)", Self.milliseconds(row),
                row.protocolName,
            ]
            return (["\(mark(row)) \(Self.line(cells))"] + problems(row)).joined(separator: "\n")
        }
        return (["  " + text(head, .faint)] + lines).joined(separator: "\n")
    }

    private func mark(_ row: Row) -> String { row.isGood ? text("✓", .good) : text("✗", .bad) }

    private func problems(_ row: Row) -> [String] {
        row.problems.enumerated().map { index, problem in
            text("    \(index == 0 ? "" : "because: ")\(problem)", .bad)
        }
    }

    private static func milliseconds(_ row: Row) -> String {
        String(format: "%.1f", row.seconds * 1000)
    }

    private static func line(_ cells: [String]) -> String {
        zip(cells, [11, 18, 17, 9, 7, 8]).map(pad).joined(separator: " ")
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        text.padding(toLength: max(width, text.count), withPad: " ", startingAt: 0)
    }
}
