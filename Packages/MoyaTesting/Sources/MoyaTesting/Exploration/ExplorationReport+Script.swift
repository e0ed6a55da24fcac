import Foundation
import MoyaCore
import MoyaStubs

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension ExplorationReport.Finding {
    /// The run as source code of a `ScriptedTransport`, to paste into a regression test. Has each
    /// request and the reply that the flow got. Comments mark where the test has to cancel the task
    /// or to start the flow again. A path segment with an identifier, such as a UUID, is written as
    /// `{id}`.
    public var script: String {
        var lines = [
            "\(promise): \(reason)".comment,
            "let clock = TestClock(movesByItself: true)",
            "let network = ScriptedTransport(clock: clock)",
        ]
        for (number, exchange) in timeline.exchanges.enumerated() {
            lines += pauseLines(after: number) + Self.lines(for: exchange)
        }
        lines += pauseLines(after: timeline.exchanges.count)
        return lines.joined(separator: "\n")
    }

    /// Comments for the faults that occurred during a pause, after `requestCount` requests.
    private func pauseLines(after requestCount: Int) -> [String] {
        timeline.pauses.filter { $0.earlierRequests == requestCount }
            .map(\.fault.instruction.comment)
    }

    private static func lines(for exchange: ExploredExchange) -> [String] {
        let path = exchange.request.urlRequest.url?.path ?? "/"
        let literal = (path.isEmpty ? "/" : pathTemplate(for: path)).swiftLiteral
        let expectation = "network.expect(\(exchange.method.sourceText), \(literal))"
        let comment = exchange.fault.map(\.instruction.comment)
        return [comment, expectation + (exchange.reply ?? .silence).sourceText].compactMap { $0 }
    }

    /// Returns `path` with a placeholder in place of each segment that contains an identifier,
    /// because a random identifier differs when the script is used.
    private static func pathTemplate(for path: String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false)
            .map { RunSignature.make([String($0)]) == $0 ? String($0) : "{id}" }
            .joined(separator: "/")
    }
}

extension Fault {
    /// Name of the fault, and the step that the test has to take where a transport cannot: cancel
    /// the task or restart the process.
    fileprivate var instruction: String {
        switch effect {
        case .reply: name
        case .cancel: "\(name): cancel the task here"
        case .kill: "\(name): end the process here, and start the flow again"
        }
    }
}

extension String {
    /// This text as a Swift comment on one line.
    fileprivate var comment: String {
        "// " + split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    /// This text as a Swift string literal on one line.
    var swiftLiteral: String {
        let needsEscapes = unicodeScalars.contains { $0.properties.generalCategory == .control }
        if needsEscapes {
            let escaped = unicodeScalars.map { scalar in
                switch scalar {
                case "\\", "\"": "\\\(scalar)"
                case _ where scalar.properties.generalCategory == .control:
                    "\\u{\(String(scalar.value, radix: 16))}"
                default: String(scalar)
                }
            }
            return "\"\(escaped.joined())\""
        }
        guard contains("\"") || contains("\\") else { return "\"\(self)\"" }
        var marks = "#"
        while contains("\"\(marks)") || contains("\\\(marks)") { marks += "#" }
        return "\(marks)\"\(self)\"\(marks)"
    }
}

extension FaultReply {
    /// A call of `respond` or `fail` that gives this reply.
    fileprivate var sourceText: String {
        var text: String
        switch kind {
        case .silence: return ".respond(.silence)"
        case .failure(let error):
            guard delay > 0 else { return ".fail(\(Self.sourceText(of: error)))" }
            text = ".failure(\(Self.sourceText(of: error)))"
        case .response(let status, let fields, let data):
            var parts = ["\(status)"]
            if !fields.isEmpty {
                let pairs = fields.map { "\($0.name.swiftLiteral): \($0.value.swiftLiteral)" }
                parts.append("headers: [\(pairs.joined(separator: ", "))]")
            }
            if !data.isEmpty { parts.append("data: \(data.sourceText)") }
            text = ".response(\(parts.joined(separator: ", ")))"
        }
        if let cut {
            let code = Self.sourceText(of: URLError(cut.code))
            text += ".cutOff(afterBytes: \(cut.count), with: \(code))"
        }
        if delay > 0 { text += ".delayed(by: \(delay.plain(6)))" }
        return ".respond(\(text))"
    }

    /// Source code of the error's `URLError.Code`. An error without a known code becomes
    /// `.unknown`, with its name in a comment.
    private static func sourceText(of error: any Error) -> String {
        let code = (error as? URLError)?.code.sourceName
        return code.map { ".\($0)" } ?? ".unknown /* \(name(of: error)) */"
    }
}

extension Data {
    /// Source code of these bytes. Text over 100,000 bytes and binary data over 2000 bytes are
    /// replaced by zeros of the same length.
    fileprivate var sourceText: String {
        if count <= 100_000, let text = String(data: self, encoding: .utf8) {
            return "Data(\(text.swiftLiteral).utf8)"
        }
        guard count <= 2000 else { return "Data(count: \(count))" }
        return "Data(base64Encoded: \"\(base64EncodedString())\") ?? Data()"
    }
}

extension HTTPMethod {
    /// Source code of the method.
    var sourceText: String {
        let known: [HTTPMethod] = [
            .connect, .delete, .get, .head, .options, .patch, .post, .put, .query, .trace,
        ]
        return known.contains(self)
            ? ".\(rawValue.lowercased())" : "HTTPMethod(rawValue: \(rawValue.swiftLiteral))"
    }
}
