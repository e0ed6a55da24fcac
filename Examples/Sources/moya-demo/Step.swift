import Foundation
import MoyaCore

/// What one step of the demo came to, as a row of the table.
struct Row {
    let transport: String
    let step: String
    let status: String
    let byteCount: Int
    let seconds: TimeInterval
    let protocolName: String
    /// What was not as expected.
    let problem: String?
}

/// A step of the demo did not come to what it should have.
struct Unexpected: Error, CustomStringConvertible {
    let description: String
}

/// What a step has to say for the table.
struct Outcome {
    var status: String
    var byteCount = 0
    var protocolName = ""

    init(_ status: String) { self.status = status }

    init(_ response: Response) {
        status = "\(response.statusCode)"
        byteCount = response.data.count
        protocolName = response.metrics?.protocolName ?? ""
    }
}

/// Runs `body` and makes a row of it.
func step(
    _ name: String, over transport: String, _ body: () async throws -> Outcome
) async -> Row {
    let start = Date()
    var outcome = Outcome("failed")
    var problem: String?
    do {
        outcome = try await body()
    } catch {
        problem = "\(error)"
    }
    return Row(
        transport: transport, step: name, status: outcome.status, byteCount: outcome.byteCount,
        seconds: Date().timeIntervalSince(start), protocolName: outcome.protocolName,
        problem: problem)
}

/// Writes the rows as a table.
func printTable(_ rows: [Row]) {
    func pad(_ text: String, _ width: Int) -> String {
        text.padding(toLength: max(width, text.count), withPad: " ", startingAt: 0)
    }
    func line(_ cells: [String]) -> String {
        zip(cells, [11, 22, 18, 12, 9, 9]).map { pad($0, $1) }.joined(separator: " ")
    }
    print(line(["transport", "request", "result", "bytes", "ms", "protocol"]))
    for row in rows {
        let milliseconds = String(format: "%.1f", row.seconds * 1000)
        print(
            line([
                row.transport, row.step, row.status, "\(row.byteCount)", milliseconds,
                row.protocolName,
            ]))
        if let problem = row.problem { print("    \(problem)") }
    }
}
