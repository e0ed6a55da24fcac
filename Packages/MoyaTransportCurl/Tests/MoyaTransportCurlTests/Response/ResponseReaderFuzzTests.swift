import Foundation
import MoyaTesting
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

/// Compares the reader with `Tests/Readers/read_responses.py`, which generates random responses,
/// and reads them by the RFCs and by the reader's documentation.
@Suite(.seeded) struct ResponseReaderFuzzTests {
    private static let batch = 2_000
    /// The most differences that a run reports.
    private static let differenceLimit = 10
    /// How long to generate cases, in seconds. Without the variable, the test reads one batch.
    private static let seconds =
        ProcessInfo.processInfo.environment["MOYA_READER_SECONDS"].flatMap(Double.init) ?? 0

    @Test func `random responses have the result of an independent reader`() async throws {
        let start = ProcessInfo.processInfo.systemUptime
        var (count, differences) = (0, 0)
        repeat {
            let cases = try await Self.cases(from: count)
            try #require(cases.count == Self.batch)
            for each in cases where differences < Self.differenceLimit {
                let result = CurlStandIn.result(of: each)
                if result == each.result { continue }
                differences += 1
                Issue.record("\(each)\nexpected:\n\(each.result)\nfound:\n\(result)")
            }
            count += Self.batch
        } while differences < Self.differenceLimit
            && ProcessInfo.processInfo.systemUptime - start < Self.seconds
        print("ResponseReader has read \(count) cases.")
    }

    private static func cases(from first: Int) async throws -> [ReaderCase] {
        let program = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Readers/read_responses.py").path
        let numbers = ["--first", "\(first)", "--count", "\(batch)"]
        let output = Pipe()
        let python = try Python.run(
            [program, "--seed", "\(SeededGenerator.processSeed)"] + numbers, output: output)
        let text = try await onThread {
            try output.fileHandleForReading.readToEnd() ?? Data()
        }
        let hasSucceeded = await python.hasSucceeded()
        try #require(hasSucceeded)
        return String(decoding: text, as: UTF8.self).split(separator: "\n")
            .compactMap { ReaderCase($0) }
    }
}

/// A generated case, and the result of the reference reader.
private struct ReaderCase: CustomStringConvertible {
    /// A step of libcurl, which `read_responses.py` documents.
    struct Step {
        let kind: Character
        let bytes: [UInt8]
    }

    let number: Int
    let properties: Substring
    let steps: [Step]
    let result: String

    /// - Parameter line: A line of the program's output.
    init?(_ line: Substring) {
        let fields = line.split(separator: "\t")
        guard fields.count == 4, let number = Int(fields[0]) else { return nil }
        self.number = number
        properties = fields[1]
        steps = fields[2].split(separator: " ").map { step in
            Step(kind: step.first ?? "x", bytes: Self.bytes(step.dropFirst()))
        }
        result = String(decoding: Self.bytes(fields[3]), as: UTF8.self)
    }

    private static func bytes(_ base64: Substring) -> [UInt8] {
        Array(Data(base64Encoded: String(base64)) ?? Data())
    }

    var request: ResponseReader.Request {
        .init(
            isHead: properties.contains("H"), asksForUpgrade: properties.contains("U"),
            expectsContinue: properties.contains("E"), negotiates: properties.contains("N"))
    }

    /// Whether the TLS connection ends with close_notify. `nil` without TLS.
    var hasCloseNotify: Bool? {
        properties.contains("y") ? true : properties.contains("n") ? false : nil
    }

    var description: String {
        let texts = steps.map { step in
            let text = String(decoding: step.bytes.prefix(2000), as: UTF8.self).debugDescription
            return "\(step.kind) \(text)"
        }
        return "case \(number), request \(properties):\n\(texts.joined(separator: "\n"))"
    }
}

/// Passes the steps of a case to a reader, as libcurl does.
private struct CurlStandIn {
    private var reader = ResponseReader(storage: RawBytes())
    private var random: SeededGenerator
    /// libcurl's status code.
    private var status = 0
    private var events: [String] = []
    private var hasSurplus = false
    /// The end of the reading, once there is one.
    private var verdict: String?

    /// The reader's result, in the form of the program's.
    static func result(of test: ReaderCase) -> String {
        var curl = CurlStandIn(random: SeededGenerator("pieces", case: test.number))
        curl.reader.request = test.request
        for (index, step) in test.steps.enumerated() where curl.verdict == nil {
            let next = index + 1 < test.steps.count ? test.steps[index + 1] : nil
            let surplus = next?.kind == "s" ? next?.bytes ?? [] : []
            curl.pass(step, surplus: surplus, hasCloseNotify: test.hasCloseNotify)
        }
        var storage = curl.reader.takeStorage()
        storage.deallocate()
        let verdict = curl.verdict ?? "no verdict"
        guard verdict == "whole" || verdict == "cutOff" else {
            return (curl.events + [verdict]).joined(separator: "\n")
        }
        let trailers = curl.reader.trailers.map { "\($0.name):\($0.value)" }
        let surplus = curl.hasSurplus ? ["surplus"] : []
        return (curl.events + surplus + [verdict] + trailers).joined(separator: "\n")
    }

    private init(random: SeededGenerator) { self.random = random }

    private mutating func pass(
        _ step: ReaderCase.Step, surplus: [UInt8], hasCloseNotify: Bool?
    ) {
        switch step.kind {
        case "h": passHead(step.bytes)
        case "b": verdict = reader.beginBody(status: status).map(Self.name)
        case "f": passFramed(step.bytes, surplus: surplus)
        case "s": break
        case "t":
            // libcurl delivers fields that arrived during a pause as one piece.
            let isOnePiece = Bool.random(using: &random)
            for piece in isOnePiece ? [step.bytes[...]] : Self.lines(step.bytes) { take(piece) }
        case "c": reader.noteConnection()
        case "r": reader.noteBegin()
        case "e", "w", "l":
            let end = ResponseReader.End(
                status: status, hasWholeLength: step.kind == "e" ? nil : step.kind == "w",
                hasCloseNotify: reader.endsWithConnection ? hasCloseNotify : nil)
            verdict = reader.fault(at: end).map(Self.name) ?? "whole"
        default: verdict = "failed"
        }
    }

    private static func name(of fault: ResponseReader.Fault) -> String {
        switch fault {
        case .invalid: "invalid"
        case .cutOff: "cutOff"
        }
    }

    /// The lines of `bytes`, with their line feeds. libcurl passes on no line without one.
    private static func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
            .map { bytes[$0.startIndex...$0.endIndex] }
    }

    private mutating func passHead(_ bytes: [UInt8]) {
        let lines = Self.lines(bytes)
        status = lines.first.map(Self.code) ?? 0
        for line in lines where verdict == nil { take(line) }
    }

    /// The status code as libcurl reads it. It takes a line that it does not understand for 200.
    private static func code(of line: ArraySlice<UInt8>) -> Int {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let (version, rest) = (line.prefix(8), line.dropFirst(8))
        guard version.elementsEqual("HTTP/1.0".utf8) || version.elementsEqual("HTTP/1.1".utf8),
            rest.first.map(isBlank) == true
        else { return 200 }
        let digits = rest.drop(while: isBlank).prefix(3)
        guard digits.count == 3, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return 200
        }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// Passes a line of a head, or trailer fields.
    private mutating func take(_ line: ArraySlice<UInt8>) {
        guard verdict == nil else { return }
        switch line.withUnsafeBytes({ reader.take($0) }) {
        case .none: break
        case .refused: verdict = "invalid"
        case .outOfMemory: verdict = "out of memory"
        case .end:
            let code = status
            switch line.withUnsafeBytes({ reader.finishHead($0, status: code) }) {
            case .refused: verdict = "invalid"
            case .informational: events.append("informational \(code)")
            case let head: events.append("\(head) \(code) \(framing)")
            }
        }
    }

    /// The end of the body, as the reader has understood the head.
    private var framing: String {
        if reader.isWithoutBody { return "none" }
        if reader.framing.isChunked { return "chunked" }
        return reader.endsWithConnection ? "close" : "length"
    }

    /// Passes a chunked body in random pieces. libcurl reads bytes after the body only together
    /// with the body's last byte.
    private mutating func passFramed(_ bytes: [UInt8], surplus: [UInt8]) {
        let most = [1, 7, 100, bytes.count].randomElement(using: &random) ?? 1
        var rest = bytes[...]
        while !rest.isEmpty {
            var piece = Array(rest.prefix(Int.random(in: 1...most, using: &random)))
            rest = rest.dropFirst(piece.count)
            if rest.isEmpty, !surplus.isEmpty {
                piece += surplus.prefix(Int.random(in: 1...surplus.count, using: &random))
            }
            if piece.withUnsafeBytes({ reader.takeFramed($0) }) { hasSurplus = true }
        }
    }
}
