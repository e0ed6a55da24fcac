import Foundation
import MoyaCore
import MoyaInternals
import Testing

@testable import MoyaTesting

/// Flows that order an item. Most have a defect, which the exploration has to find.
@Suite struct PlantedOrderDefectTests {
    @Test
    func
        `An exploration finds a retry that repeats a POST request, with a script that reproduces it`()
        async throws
    {
        let report = try await findings { network in
            let transport = BlindRetry(next: network, clock: network.clock)
            _ = try await MoyaProvider<ShopCall>(transport: transport).request(.order())
        } holding: { run in
            run.neverRepeatsUnsafely()
        }
        let finding = try #require(report.finding("no unsafe request is repeated"))
        #expect(finding.faults == ["connection lost after the server acted at POST /orders"])
        #expect(
            finding.script == """
                // no unsafe request is repeated: POST /orders was sent again after the server had acted on it: the \
                flow got networkConnectionLost.
                let clock = TestClock(movesByItself: true)
                let network = ScriptedTransport(clock: clock)
                // connection lost after the server acted
                network.expect(.post, "/orders").fail(.networkConnectionLost)
                network.expect(.post, "/orders").respond(.response(201, headers: ["Content-Type": \
                "application/json"], data: Data(#"{"order":1}"#.utf8)))
                """)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `An exploration of a retried POST with an idempotency key breaks no promise`()
        async throws
    {
        let report = try await findings(depth: 2) { network in
            let transport = BlindRetry(next: network, clock: network.clock)
            _ = try await MoyaProvider<ShopCall>(transport: transport).request(.order(key: "1"))
        } holding: { run in
            run.neverRepeatsUnsafely()
            run.neverSends(.post, "/orders", moreThan: 1, unlessIdempotent: true)
            run.check("one order at most") { run.server.orderCount <= 1 }
        }
        #expect(report.findings.map(\.description) == [])
        #expect(report.runs > 100)
        #expect(report.unrepeatable == 0)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `An exploration finds a repeated POST request whose body has a new UUID`()
        async throws
    {
        for size in [0, 3000] {
            let note = String(repeating: "z", count: size)
            let report = try await findings { network in
                for _ in 0..<2 {
                    let call = ShopCall(
                        method: .post, path: "/orders",
                        json: ["id": UUID().uuidString, "note": note])
                    if (try? await network.request(call)) != nil { return }
                }
            } holding: { run in
                run.neverRepeatsUnsafely()
            }
            let finding = try #require(report.finding("no unsafe request is repeated"))
            #expect(finding.faults == ["connection lost after the server acted at POST /orders"])
        }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `A POST request that the server itself answers with 401 may be repeated`()
        async throws
    {
        let report = try await findings([]) { network in
            let call = ShopCall(method: .post, path: "/private", json: ["item": 1])
            _ = try? await network.request(call)
            let token = try await network.request(
                ShopCall(path: "/token", query: ["refresh": 0])
            ).map(Int.self, atKeyPath: "token")
            var again = call
            again.headers = ["Authorization": "Bearer \(token)"]
            _ = try await network.request(again)
        } holding: { run in
            run.neverRepeatsUnsafely()
            run.neverSends(.post, "/private", moreThan: 1)
            run.check("two requests reach the server") {
                run.exchanges.count { $0.name == "POST /private" && $0.actionCount == 1 } == 2
            }
        }
        #expect(report.findings.map(\.description) == [])
    }

    @Test func `An exploration finds an idempotency key that changes with each attempt`()
        async throws
    {
        let report = try await findings { network in
            for _ in 0..<2 {
                let call = ShopCall.order(key: UUID().uuidString)
                if (try? await network.request(call)) != nil { return }
            }
        } holding: { run in
            run.neverSends(.post, "/orders", moreThan: 1, unlessIdempotent: true)
        }
        let finding = try #require(report.finding("POST /orders reaches the server once at most"))
        #expect(finding.faults == ["connection lost after the server acted at POST /orders"])
        #expect(finding.reason == "The server acted on it twice.")
    }

    @Test func `An exploration finds a timeout that the flow treats as success`() async throws {
        let report = try await findings { network in
            do {
                _ = try await network.request(.order())
            } catch MoyaError.underlying(let error as URLError, _) where error.code == .timedOut {
                // The defect: the flow assumes that the order arrived and only the response is
                // late.
            }
        } holding: { run in
            run.check("an order is there or the user was told") {
                run.server.orderCount == 1 || run.error != nil
            }
        }
        let finding = try #require(report.finding("an order is there or the user was told"))
        #expect(finding.faults == ["timeout before the server acted at POST /orders"])
        #expect(finding.script.contains("network.expect(.post, \"/orders\").respond(.silence)"))
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `An exploration finds a flow that orders again after a crash`() async throws {
        let report = try await findings { network in
            let receipt = network.folder.appendingPathComponent("receipt")
            guard !FileManager.default.fileExists(atPath: receipt.path) else { return }
            _ = try await network.request(.order())
            try Data().write(to: receipt)
        } holding: { run in
            run.check("one order at most") { run.server.orderCount <= 1 }
        }
        let finding = try #require(report.finding("one order at most"))
        #expect(finding.faults == ["request delivered twice at POST /orders"])
        let killed = try await findings(.kills) { network in
            let receipt = network.folder.appendingPathComponent("receipt")
            guard !FileManager.default.fileExists(atPath: receipt.path) else { return }
            _ = try await network.request(.order())
            try Data().write(to: receipt)
        } holding: { run in
            run.check("one order at most") { run.server.orderCount <= 1 }
        }
        #expect(
            killed.finding("one order at most")?.faults == [
                "process killed after the server acted at POST /orders"
            ])
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `A flow that saves its idempotency key before it orders survives crashes`()
        async throws
    {
        let report = try await findings(depth: 2) { network in
            let file = network.folder.appendingPathComponent("key")
            let saved = try? String(contentsOf: file, encoding: .utf8)
            let key = saved ?? "key"
            if saved == nil { try Data(key.utf8).write(to: file) }
            _ = try await network.request(.order(key: key))
        } holding: { run in
            run.check("one order at most") { run.server.orderCount <= 1 }
            run.leavesNothingBehind()
        }
        #expect(report.findings.map(\.description) == [])
    }

    /// Orders, and after a failure sends a fallback request whose error is ignored.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Sendable private static func orderWithFallback(_ network: ExploredNetwork) async throws {
        do {
            _ = try await network.request(.order(key: "1"))
        } catch {
            _ = try? await network.request(
                ShopCall(method: .put, path: "/fallback", json: ["item": 1]))
        }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `An exploration finds a defect that needs two faults, and names both faults`()
        async throws
    {
        let report = try await findings(depth: 2, flow: Self.orderWithFallback) { run in
            run.reachesServerOrTells()
        }
        #expect(report.findings.map(\.faults) == [Self.lostTwice])
        #expect(report.leftOut == 0)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test(arguments: 1...5 as ClosedRange<UInt64>)
    func `A finding among randomly drawn runs shrinks to the simplest faults`(
        seed: UInt64
    ) async throws {
        var options = ExplorationOptions()
        (options.runs, options.seed) = (200, seed)
        let report = try await findings(
            depth: 3, options: options, flow: Self.orderWithFallback
        ) { run in
            run.reachesServerOrTells()
        }
        #expect(report.findings.map(\.faults) == [Self.lostTwice])
        #expect(report.leftOut > 0)
    }

    private static let lostTwice = [
        "connection lost before the server acted at POST /orders",
        "connection lost before the server acted at PUT /fallback",
    ]

    @Test func `An exploration finds a flow that accepts the response to its previous request`()
        async throws
    {
        let report = try await findings { network in
            _ = try await network.request(.get("/items/1"))
            return String(decoding: try await network.request(.get("/items/2")).data, as: UTF8.self)
        } holding: { run in
            run.check("the item is the one that was asked for") {
                run.value?.contains("/items/1") != true
            }
        }
        #expect(
            report.finding("the item is the one that was asked for")?.faults == [
                "response of the request before at GET /items/2"
            ])
    }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
extension ExploredRun {
    fileprivate func reachesServerOrTells() {
        let isReached = exchanges.contains { $0.actionCount > 0 }
        check("the order reaches a server or the user was told") {
            isReached || error != nil || isCancelled
        }
    }
}
