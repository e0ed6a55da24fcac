import Foundation
import MoyaCore

/// Result of one step of the demo, as a row of a table.
struct Row: Sendable {
    let transport: String
    let step: String
    let status: String
    let byteCount: Int
    let seconds: TimeInterval
    let protocolName: String
    /// The error of a failed step and its underlying errors. Empty if the step succeeded.
    let problems: [String]

    var isGood: Bool { problems.isEmpty }
}

/// A result that a step of the demo did not expect.
struct Unexpected: Error, CustomStringConvertible {
    let description: String
}

func expect(_ condition: Bool, _ what: String) throws {
    if !condition { throw Unexpected(description: "Expected \(what).") }
}

/// Result of a step's body, for the table.
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

/// Runs and times `body`, and returns the row with its outcome or its error.
func step(
    _ name: String, over transport: String, _ body: () async throws -> Outcome
) async -> Row {
    let start = Date()
    var outcome = Outcome("failed")
    var problems: [String] = []
    do {
        outcome = try await body()
    } catch {
        problems = causes(of: error)
    }
    return Row(
        transport: transport, step: name, status: outcome.status, byteCount: outcome.byteCount,
        seconds: Date().timeIntervalSince(start), protocolName: outcome.protocolName,
        problems: problems)
}

/// Texts of `error` and of its underlying errors, outermost first.
func causes(of error: any Error) -> [String] {
    var texts = ["\(error)"]
    var next = cause(of: error)
    while let error = next {
        let text = error is URLError ? error.localizedDescription : "\(error)"
        if !texts.contains(text) { texts.append(text) }
        next = cause(of: error)
    }
    return texts
}

private func cause(of error: any Error) -> (any Error)? {
    if case MoyaError.underlying(let inner, _) = error { return inner }
    if error is MoyaError || error is Unexpected { return nil }
    return (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
}
