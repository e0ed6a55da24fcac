import Foundation
import MoyaCore
import MoyaInternals
import MoyaStubs
import Testing

@testable import MoyaTesting

@Suite struct ExplorationReportTests {
    @Test(arguments: [
        ("plain", #""plain""#), (#"a "b""#, ##"#"a "b""#"##), (##"a"#b"##, ###"##"a"#b"##"###),
        ("a\u{0}\"\n", #""a\u{0}\"\u{a}""#), (#"back\slash"#, ##"#"back\slash"#"##),
    ])
    func `Text becomes a Swift string literal`(text: String, literal: String) {
        #expect(text.swiftLiteral == literal)
    }

    @Test func `The script of a finding, pasted into a test, breaks the same promise`() async throws
    {
        // The script that a finding prints for a repeated POST request.
        let clock = TestClock(movesByItself: true)
        let network = ScriptedTransport(clock: clock)
        // connection lost after the server acted
        network.expect(.post, "/orders").fail(.networkConnectionLost)
        network.expect(.post, "/orders").respond(
            .response(
                201, headers: ["Content-Type": "application/json"], data: Data(#"{"order":1}"#.utf8)
            ))
        let transport = BlindRetry(next: network, clock: clock)
        _ = try await MoyaProvider<ShopCall>(transport: transport).request(.order())
        #expect(network.requests.count == 2)

        let report = try await findings { network in
            let transport = BlindRetry(next: network, clock: network.clock)
            _ = try await MoyaProvider<ShopCall>(transport: transport).request(.order())
        } holding: { run in
            run.neverRepeatsUnsafely()
        }
        let script = try #require(report.findings.first?.script)
        let pasted = try String(contentsOf: URL(fileURLWithPath: #filePath), encoding: .utf8)
        // Ignores line breaks, which differ in this file, and the first comment, which contains the
        // reason.
        let lines = script.split(separator: "\n").dropFirst().joined()
        #expect(pasted.filter { !$0.isWhitespace }.contains(lines.filter { !$0.isWhitespace }))
    }

    /// Returns the script of a run with one request that has this fault.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    private func script(of fault: Fault) async throws -> String {
        let report = try await findings([fault]) { network in
            _ = try? await network.request(.get("/me"))
        } holding: { run in
            if run.exchanges.first?.fault != nil { run.breaks("it holds", "It\ndoes not.") }
        }
        return try #require(report.findings.first).script
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `A script writes a reason of several lines as one comment line`() async throws {
        let script = try await script(of: .status(503))
        #expect(script.hasPrefix("// it holds: It does not.\nlet clock"))
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `A script contains a text body of 3,000 characters completely`() async throws {
        let text = #"{"text":""# + String(repeating: "a", count: 3000) + #""}"#
        let script = try await script(
            of: Fault("long") { _ in .response(200, data: Data(text.utf8)) })
        #expect(script.contains("data: Data(\(text.swiftLiteral).utf8)"))
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `A script has comments for cancelling the task and ending the process`() async throws
    {
        for (fault, line) in zip(
            [Fault].cancellations + .kills,
            [
                "// flow cancelled: cancel the task here",
                "// flow cancelled after the server acted: cancel the task here",
                "// process killed: end the process here, and start the flow again",
                "// process killed after the server acted: "
                    + "end the process here, and start the flow again",
            ])
        {
            #expect(try await script(of: fault).contains("\n\(line)\nnetwork.expect("))
        }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `A script writes an unknown URLError code as a comment`() async throws {
        let unnamed = try await script(of: .failure("no space", .cannotCreateFile))
        #expect(unnamed.contains(".fail(.unknown /* URLError -3000 */)"))
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `A script formats delays and fault names independently of the locale`() async throws
    {
        let script = try await script(of: .slow(by: 12345.5))
        #expect(script.contains("// response slow by a factor of 12345.5\n"))
        #expect(script.contains(".delayed(by: 1234.55)"))
    }

    @Test func `Long bodies that differ only after their first bytes have different signatures`() {
        let (first, second) = (Data(repeating: 0, count: 3000), Data(count: 2999) + [1])
        let signatures = [first, second].map { RunSignature.make([$0.signature]) }
        #expect(signatures[0] != signatures[1])
        #expect(signatures[0] == RunSignature.make([Data(repeating: 0, count: 3000).signature]))
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test
    func
        `The HTML report of an exploration shows each finding, escaped, and the run without faults`()
        async throws
    {
        let report = try await findings(.statusFaults) { network in
            network.note(.mark("<begun>"))
            _ = try await network.request(.get("/me"))
        } holding: { run in
            run.check("the flow returns <always>") { run.error == nil }
        }
        let page = report.html
        #expect(page.contains("<h2>the flow returns &lt;always&gt;</h2>"))
        #expect(page.contains("1 promise was broken"))
        #expect(page.contains("status 503 at GET /me"))
        #expect(page.contains("Without a fault"))
        #expect(!page.contains("<begun>"))
        #expect(!page.contains("<script"))
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `The report names the promises that had nothing to check in any run`() async throws {
        let report = try await findings(.statusFaults) { network in
            _ = try? await network.request(.order(key: "1"))
            network.note(.mark("signed out"))
        } holding: { run in
            run.sendsNothing(after: "sign out")
            run.sendsNothing(after: "signed out")
            run.neverSends(.post, "/order", moreThan: 1)
            run.neverSends(.post, "/orders", moreThan: 1)
            run.neverRepeatsUnsafely()
            run.errorsAreTyped()
            run.keepsSecret("s3cret")
            run.servesEachUserTheirOwn { _ in nil }
            run.progressIsMonotone()
            run.ends(within: .seconds(60))
        }
        #expect(
            report.neverTested == [
                "nothing is sent after “sign out”", "POST /order reaches the server once at most",
                "no unsafe request is repeated", "errors are of type MoyaError",
                "errors name the request", "no error and no log shows the secret",
                "each user sees responses of their own", "progress never goes back",
            ])
        #expect(report.summary.contains(" Never tested: nothing is sent after “sign out”; POST"))
        #expect(report.html.contains("<dt>Never tested</dt><dd>nothing is sent after “sign out”;"))
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `The HTML report has a row for a fault at a pause, between the requests around it`()
        async throws
    {
        let report = try await findings(Array([Fault].kills.prefix(1))) { network in
            _ = try? await network.request(.get("/first"))
            try await network.clock.sleep(for: 1)
            _ = try? await network.request(.get("/second"))
        } holding: { run in
            let isAtPause = run.killCount > 0 && run.exchanges.allSatisfy { $0.fault == nil }
            if isAtPause { run.breaks("it goes on", "It does not.") }
        }
        let page = report.html
        let start = try #require(page.range(of: "<tbody>")).upperBound
        let rows = page[start...].components(separatedBy: "</tr>")
        #expect(rows[0].contains("GET /first"))
        #expect(rows[1].contains(#"a pause<span class="fault">process killed</span>"#))
        #expect(rows[1].contains(#"title="process killed, 0.1 s""#))
        #expect(rows[2].contains("GET /first <small>start 2</small>"))
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `A page is attached to the test only if a promise is broken`() async throws {
        for isBroken in [false, true] {
            let pages = Locked<[String]>([])
            let report = try await ReportAttachment.$attach.withValue({ page, place in
                pages.withLock { $0.append("\(place) \(page)") }
            }) {
                try await findings(.statusFaults) { network in
                    _ = try? await network.request(.get("/me"))
                } holding: { run in
                    run.check("it holds") { !isBroken }
                }
            }
            let attached = pages.withLock { $0 }
            #expect(attached.count == (isBroken ? 1 : 0))
            #expect(attached.allSatisfy { $0.hasSuffix(report.html) && $0.contains("Shop.swift") })
        }
    }

    @Test func `A draw keeps each element with the same probability`() {
        var counts = [Int](repeating: 0, count: 10)
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<1000 {
            var draw = Draw<Int>(room: 3)
            for number in 0..<10 { draw.add(number, using: &generator) }
            #expect(draw.kept.count == 3)
            #expect(draw.leftOut == 7)
            for number in draw.kept { counts[number] += 1 }
        }
        #expect(counts.allSatisfy { (200...400).contains($0) })
    }
}
