import Foundation
import MoyaCore
import MoyaInternals
import MoyaStubs
import Testing

@testable import MoyaTesting

@Suite struct ExplorationTests {
    /// Sends two requests, and repeats the second after a failure.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Sendable private static func flow(_ network: ExploredNetwork) async throws {
        _ = try await network.request(.get("/one"))
        do {
            _ = try await network.request(.order())
        } catch {
            try await network.clock.sleep(for: 1)
            _ = try await network.request(.order())
        }
    }

    /// Explores the flow. Returns the report, and each run as text.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    private func runs(
        depth: Int, options: ExplorationOptions = ExplorationOptions()
    ) async throws -> (ExplorationReport, [String]) {
        let lines = Locked<[String]>([])
        let report = try await findings(depth: depth, options: options, flow: Self.flow) { run in
            let line = run.exchanges.map { "\($0.fault?.name ?? "-") \($0.signature)" }.joined()
            lines.withLock { $0.append(line) }
        }
        return (report, lines.withLock { $0 })
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `An exploration tries every fault at every request`() async throws {
        let (report, lines) = try await runs(depth: 1)
        // Two requests, and no pause in a run without faults.
        #expect(report.siteCount == 2)
        #expect(report.runs == 1 + 2 * [Fault].everyFault.count)
        for fault in [Fault].everyFault {
            #expect(lines.contains { $0.contains(fault.name) }, "\(fault)")
        }
        // One fault has no effect: the first request has no previous response that could be
        // delivered.
        #expect(report.withoutEffect == 1)
        #expect(report.unrepeatable == 0)
        #expect(report.leftOut == 0)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `Explorations with the same seed make the same runs`() async throws {
        var options = ExplorationOptions()
        options.runs = 300
        let (first, firstLines) = try await runs(depth: 3, options: options)
        let (second, secondLines) = try await runs(depth: 3, options: options)
        let isSame = firstLines == secondLines
        #expect(isSame)
        #expect(first.leftOut == second.leftOut)
        #expect(first.leftOut > 0)
        #expect(first.runs <= 300)
        options.seed = 2
        let isOther = try await runs(depth: 3, options: options).1 != firstLines
        #expect(isOther)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test(.timeLimit(.minutes(3)))
    func `More than 1,000 runs do not wait in real time for their pauses of ten minutes`()
        async throws
    {
        let report = try await findings(depth: 2) { network in
            for _ in 0..<3 {
                if (try? await network.request(.get("/me"))) != nil { return }
                try await network.clock.sleep(for: 600)
            }
        } holding: { run in
            run.ends(within: .seconds(1500))
        }
        #expect(report.findings.map(\.description) == [])
        #expect(report.runs > 1000)
        #expect(!report.usesOtherThreads)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `A retry after a lost connection orders twice only if the server had acted`()
        async throws
    {
        for (fault, count) in [
            ("connection lost before the server acted", 1),
            ("connection lost after the server acted", 2),
        ] {
            let faults = [Fault].everyFault.filter { $0.name == fault }
            let counts = Locked<[Int]>([])
            _ = try await findings(faults, flow: Self.flow) { run in
                guard run.exchanges.last?.number == 2 else { return }
                counts.withLock { $0.append(run.server.orderCount) }
            }
            #expect(counts.withLock { $0 } == [count])
        }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `Every fault is tried at a request with a random identifier in its path`()
        async throws
    {
        let report = try await findings { network in
            let path = "/orders/\(UUID().uuidString)"
            _ = try await network.request(
                ShopCall(method: .put, path: path, json: ["item": 1]))
        } holding: { run in
            run.check("the order arrives") { run.error == nil }
        }
        #expect(report.unrepeatable == 0)
        #expect(report.findings.map(\.promise) == ["the order arrives"])
        let script = try #require(report.findings.first).script
        #expect(script.contains(#"network.expect(.put, "/orders/{id}").fail("#))
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `A custom fault is tried only at the requests that its matcher matches`()
        async throws
    {
        let maintenance = Fault("maintenance") { _ in .response(200, data: Data("<h1>".utf8)) }
            .only(for: .path("/orders"))
        let (one, two) = (Locked(0), Locked(0))
        let report = try await findings([maintenance], flow: Self.flow) { run in
            for exchange in run.exchanges where exchange.fault?.name == "maintenance" {
                if exchange.name == "POST /orders" { one.withLock { $0 += 1 } }
                if exchange.name == "GET /one" { two.withLock { $0 += 1 } }
            }
        }
        #expect(report.runs == 2)
        #expect(one.withLock { $0 } == 1)
        #expect(two.withLock { $0 } == 0)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `A killed flow starts again with the files of its folder`()
        async throws
    {
        let starts = Locked<[String]>([])
        _ = try await findings(.kills) { network in
            let file = network.folder.appendingPathComponent("step")
            let step = (try? String(contentsOf: file, encoding: .utf8)) ?? "none"
            starts.withLock { $0.append("\(network.isRestart) \(step)") }
            try Data("first".utf8).write(to: file)
            _ = try await network.request(.get("/one"))
        } holding: { run in
            run.check("the flow returned") { run.value != nil }
            run.check("nothing of a run is there in the next") { true }
        }
        #expect(
            starts.withLock { $0 } == [
                "false none", "false none", "true first", "false none", "true first",
            ])
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `A killed process holds no file lock`() async throws {
        let report = try await findings(.kills) { network in
            let file = network.folder.appendingPathComponent("lock")
            let descriptor = open(file.path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
            defer { close(descriptor) }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw LockedError() }
            _ = try await network.request(.get("/one"))
        } holding: { run in
            run.check("the lock is free") { run.error == nil }
        }
        #expect(report.findings.map(\.description) == [])
    }

    struct LockedError: Error {}

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `A flow that throws without a fault is a finding, unless the options allow it`()
        async throws
    {
        var options = ExplorationOptions()
        for mayFail in [false, true] {
            options.mayFailWithoutFaults = mayFail
            let report = try await findings(.statusFaults, options: options) { network in
                _ = try await network.request(.get("/private"))
            } holding: { run in
                run.check("nothing is ordered") { run.server.orderCount == 0 }
            }
            let promises = mayFail ? [] : ["the flow works without a fault"]
            #expect(report.findings.map(\.promise) == promises)
            #expect(report.runs == 1 + (mayFail ? [Fault].statusFaults.count : 0))
        }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `A flow that sends no request on the explored network is a finding`() async throws {
        let report = try await findings { _ in
            _ = try await MoyaProvider<ShopCall>(transport: StubTransport(.response(200)))
                .request(.get("/one"))
        } holding: { run in
            run.neverRepeatsUnsafely()
        }
        #expect(report.findings.map(\.promise) == ["the flow sends a request"])
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `A redirect loop in an exploration fails with httpTooManyRedirects`() async throws {
        let codes = Locked<[URLError.Code]>([])
        _ = try await findings([Fault].everyFault.filter { $0.name == "redirect loop" }) {
            network in
            do { _ = try await network.request(.get("/one")) } catch let error as MoyaError {
                let code = (error.underlyingError as? URLError)?.code
                codes.withLock { $0.append(code ?? .unknown) }
            }
        } holding: { _ in
        }
        #expect(codes.withLock { $0 } == [.httpTooManyRedirects])
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test
    func `An exploration waits for a flow on the main actor and reports the use of other threads`()
        async throws
    {
        let report = try await findings(.statusFaults) { network in
            try await Self.loadOnMain(network)
        } holding: { run in
            run.ends(within: .seconds(60))
            run.leavesNothingBehind()
        }
        #expect(report.findings.map(\.description) == [])
        #expect(report.usesOtherThreads)
        #expect(report.unrepeatable == 0)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test
    func
        `An exploration waits for a flow on a dispatch queue and reports the use of other threads`()
        async throws
    {
        let report = try await findings(.statusFaults) { network in
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async { continuation.resume() }
            }
            _ = try? await network.request(.get("/one"))
        } holding: { run in
            run.ends(within: .seconds(60))
            run.leavesNothingBehind()
        }
        #expect(report.findings.map(\.description) == [])
        #expect(report.usesOtherThreads)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @MainActor private static func loadOnMain(_ network: ExploredNetwork) async throws {
        MainActor.assertIsolated()
        _ = try? await network.request(.get("/one"))
        MainActor.assertIsolated()
        try await network.clock.sleep(for: 1)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `An exploration without a server answers with sample data`() async throws {
        let reporter = IssueReporter { _, _ in }
        try await explore([], reporter: reporter) { network in
            try await MoyaProvider<Forum>(transport: network).request(.posts).data
        } holding: { run in
            #expect(run.value == Forum.posts.sampleData)
        }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `A cassette can be the server of an exploration`() async throws {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("explored-\(UUID().uuidString).har")
        defer { try? FileManager.default.removeItem(at: file) }
        let recording = try CassetteTransport(at: file, mode: .all, recording: ShopServer())
        let recorded = try await MoyaProvider<ShopCall>(transport: recording).request(.get("/me"))
        let data = recorded.data
        let report = try await explore(
            .connectionFaults, server: { try CassetteTransport(at: file, mode: .none) }
        ) { network in
            try await network.request(.get("/me")).data
        } holding: { run in
            run.check("the answer is what was recorded") { run.value.map { $0 == data } ?? true }
            run.check("the server acts once at most") {
                run.exchanges.allSatisfy { $0.actionCount <= 1 }
            }
        }
        #expect(report.runs == 1 + [Fault].connectionFaults.count)
        #expect(report.plain?.ending == "The flow returned.")
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test
    func `The issue of an exploration contains the broken promise, the faults and the script`()
        async throws
    {
        let issues = Locked<[String]>([])
        let report = try await explore(
            .statusFaults, server: { ShopServer() },
            reporter: IssueReporter { text, place in
                issues.withLock { $0.append("\(place) \(text)") }
            }
        ) { network in
            _ = try await network.request(.get("/me"))
        } holding: { run in
            run.check("the flow returns") { run.error == nil }
        }
        let issue = try #require(issues.withLock { $0 }.first)
        #expect(issue.hasPrefix("ExplorationTests.swift:"))
        #expect(issue.contains("Broken: the flow returns\nWith: status 503 at GET /me\n"))
        #expect(issue.contains("network.expect(.get, \"/me\").respond(.response(503))"))
        #expect(report.findings.count == 1)
    }
}
