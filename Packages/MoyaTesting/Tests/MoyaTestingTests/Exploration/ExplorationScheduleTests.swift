import Foundation
import MoyaCore
import MoyaInternals
import Testing

@testable import MoyaTesting

/// Schedules of findings, and counts of runs.
@Suite struct ExplorationScheduleTests {
    private static let refusal = Fault.status(503)
    private static let kill = [Fault].kills.prefix(1)

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `A finding names a kill that occurs at a pause`() async throws {
        let report = try await findings([Self.refusal] + Self.kill, depth: 2) { network in
            if (try? await network.request(.order())) == nil {
                try await network.clock.sleep(for: 1)
            }
        } holding: { run in
            run.check("a refused order is not forgotten") {
                run.killCount == 0 || run.exchanges.first?.fault?.name != "status 503"
            }
        }
        let finding = try #require(report.finding("a refused order is not forgotten"))
        #expect(finding.faults == ["status 503 at POST /orders", "process killed at a pause"])
        #expect(finding.script.contains("// process killed: end the process here"))
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `A finding names a limited fault only at requests to which the fault applies`()
        async throws
    {
        let faults = [Self.refusal.only(for: .path("/two")), Fault.status(500)]
        let report = try await findings(faults, depth: 2) { network in
            _ = try? await network.request(.get("/one"))
            _ = try? await network.request(.get("/two"))
        } holding: { run in
            run.check("one answer comes") { run.exchanges.contains { $0.fault == nil } }
        }
        let finding = try #require(report.finding("one answer comes"))
        #expect(finding.faults == ["status 500 at GET /one", "status 503 at GET /two"])
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `A run that ends before the site of its fault counts as unrepeatable`()
        async throws
    {
        let runCount = Locked(0)
        let report = try await findings([Self.refusal]) { network in
            let isFirst = runCount.withLock { count in
                count += 1
                return count == 1
            }
            _ = try? await network.request(.get("/one"))
            if isFirst { _ = try? await network.request(.get("/two")) }
        } holding: { _ in
        }
        #expect(report.runs == 3)
        #expect(report.unrepeatable == 1)
        #expect(report.findings.map(\.faults) == [["status 503 at GET /two"]])
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `Requests that no run sends again are one finding`() async throws {
        let runCount = Locked(0)
        let report = try await findings([Self.refusal, .status(500)]) { network in
            let number = runCount.withLock { count in
                count += 1
                return count
            }
            _ = try? await network.request(.get("/items/\(number)"))
            _ = try? await network.request(.get("/carts/\(number)"))
        } holding: { _ in
        }
        #expect(report.unrepeatable == 4)
        let finding = try #require(report.finding(SiteCoverage.promise))
        #expect(finding.faults == ["status 503 at GET /items/1"])
        #expect(
            finding.reason
                == "No run reached GET /items/1 and 1 more again, so that no fault was tried there."
        )
        #expect(finding.count == 4)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `Promises are checked in a run with the signature of an earlier run`() async throws {
        let faults = ["first", "second"].map { Fault.failure($0, .timedOut) }
        let report = try await findings(faults) { network in
            _ = try? await network.request(.get("/one"))
        } holding: { run in
            run.check("the second fault does not strike") {
                run.exchanges.first?.fault?.name != "second"
            }
        }
        #expect(report.duplicates == 1)
        let finding = try #require(report.finding("the second fault does not strike"))
        #expect(finding.faults == ["second at GET /one"])
    }

    /// Explores all pairs of ten faults. Only the last pair breaks promises: 40 of them.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    private func exploreLastPair(
        _ options: ExplorationOptions, onLastPair: @escaping @Sendable () -> Void = {}
    ) async throws -> (report: ExplorationReport, checks: Int) {
        let checks = Locked(0)
        let faults = (500..<510).map { Fault.status($0) }
        let report = try await findings(faults, depth: 2, options: options) { network in
            _ = try? await network.request(.get("/one"))
            _ = try? await network.request(.get("/two"))
        } holding: { run in
            checks.withLock { $0 += 1 }
            guard run.exchanges.allSatisfy({ $0.fault?.name == "status 509" }) else { return }
            for number in 1...40 { run.breaks("promise \(number)", "It does not hold.") }
            onLastPair()
        }
        return (report, checks.withLock { $0 })
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `Shrinking takes no more runs than the options allow`() async throws {
        var options = ExplorationOptions()
        options.runs = 150
        let (report, checks) = try await exploreLastPair(options)
        #expect(report.findings.count == 40)
        #expect(report.runs == 121)
        #expect(checks <= 121 + 150)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test(arguments: [(8, 2), (40, 19)])
    func `A limit of runs leaves out pairs of faults, but no single fault`(
        limit: Int, pairCount: Int
    ) async throws {
        var options = ExplorationOptions()
        options.runs = limit
        let report = try await exploreLastPair(options).report
        // One run without a fault, and ten faults at two requests.
        #expect(report.runs == 21 + pairCount)
        #expect(report.leftOut == 100 - pairCount)
        #expect(report.completeDepth == 1)
        #expect(try await exploreLastPair(ExplorationOptions()).report.completeDepth == 2)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `An exploration whose time is over before the first run is not complete`()
        async throws
    {
        var options = ExplorationOptions()
        options.seconds = -1
        let report = try await exploreLastPair(options).report
        #expect(report.runs == 0)
        #expect(report.completeDepth == 0)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `Cancelling the exploration ends shrinking`() async throws {
        // A separate task, because Swift Testing reports a cancelled test as skipped.
        let exploration = Task {
            _ = try await exploreLastPair(ExplorationOptions()) {
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        await #expect(throws: CancellationError.self) { try await exploration.value }
    }
}
