import Foundation
import MoyaCore
import MoyaInternals
import Testing

@testable import MoyaTesting

/// Explorations of a flow with all kinds of tasks repeat exactly.
@Suite struct RepeatedExplorationTests {
    private actor Basket {
        private var items: [String] = []

        func add(_ item: String) { items.append(item) }

        var text: String { items.joined(separator: ",") }
    }

    /// Uses child tasks, unstructured and detached tasks, an actor, a stream, and a random pause.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Sendable private static func flow(_ network: ExploredNetwork) async throws -> String {
        let basket = Basket()
        let polling = Task.detached {
            try await network.clock.sleep(for: 0.05)
            return try await network.request(.get("/news"))
        }
        await withTaskGroup(of: Void.self) { group in
            for number in 1...3 {
                group.addTask {
                    let response = await Task {
                        try? await network.request(.get("/items/\(number)"))
                    }.value
                    await Task.yield()
                    await basket.add("\(number): \(response?.statusCode ?? 0)")
                }
            }
        }
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        Task {
            continuation.yield(await basket.text)
            continuation.finish()
        }
        for await text in stream { network.note(.mark(text)) }
        do {
            _ = try await network.request(.order())
        } catch {
            try await network.clock.sleep(for: 1 + 8 * network.clock.randomShare())
            _ = try await network.request(.order())
        }
        _ = try await polling.value
        return await basket.text
    }

    /// Explores the flow. Returns the report, and each run as text.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    private static func explore() async throws -> [String] {
        let runs = Locked<[String]>([])
        var options = ExplorationOptions()
        (options.runs, options.seed) = (250, 7)
        let report = try await findings(depth: 2, options: options, flow: flow) { run in
            run.neverRepeatsUnsafely()
            run.leavesNothingBehind()
            run.check("three items are there") { run.value.map { !$0.contains(": 0") } ?? true }
            let exchanges = run.exchanges.map {
                "\($0.name) \($0.start) \($0.end ?? -1) \($0.fault?.name ?? "-") \($0.actionCount)"
            }
            let notes = run.notes.map { "\($0.time) \($0.note)" }
            let duration = run.duration ?? -1
            runs.withLock { $0.append("\(duration) \(exchanges) \(notes)") }
        }
        #expect(!report.usesOtherThreads)
        #expect(report.unrepeatable == 0)
        return [report.description, report.html] + runs.withLock { $0 }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `Explorations with the same seed give the same report while other explorations run`()
        async throws
    {
        let first = try await Self.explore()
        #expect(first.count > 250)
        let others = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    var count = 0
                    for _ in 0..<2 where try await Self.explore() != first { count += 1 }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(others == 0)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `The seed of an exploration determines the random waits of its flow`() async throws {
        func share(seed: UInt64) async throws -> Double? {
            let share = Locked<Double?>(nil)
            var options = ExplorationOptions()
            options.seed = seed
            _ = try await findings(depth: 0, options: options) { network in
                _ = try await network.request(.get("/news"))
                return network.clock.randomShare()
            } holding: { run in
                share.withLock { $0 = run.value }
            }
            return share.withLock { $0 }
        }
        let first = try #require(try await share(seed: 1))
        #expect(first < 1)
        #expect(try await share(seed: 1) == first)
        #expect(try await share(seed: 2) != first)
    }
}
