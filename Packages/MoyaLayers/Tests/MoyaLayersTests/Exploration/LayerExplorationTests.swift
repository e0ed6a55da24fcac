import Foundation
import MoyaCore
import MoyaInternals
import MoyaLayers
import MoyaTestSupport
import MoyaTesting
import Testing

#if Logging
    import Logging
#endif

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A chain of layers around the network of an exploration.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
struct ExploredChain: Sendable, CustomTestStringConvertible {
    let name: String
    let make: @Sendable (ExploredNetwork) throws -> any Transport

    init(_ name: String, _ make: @escaping @Sendable (ExploredNetwork) throws -> any Transport) {
        self.name = name
        self.make = make
    }

    var testDescription: String { name }

    /// A refresher with a token that the server refuses, and that OAuth 2 refreshes over
    /// `transport`, or over the network.
    static func tokens(
        _ network: ExploredNetwork, over transport: (any Transport)? = nil
    ) -> TokenRefresher {
        let oauth = OAuth2Client(
            tokenEndpoint: url("https://api.test/token"), clientID: "app",
            clientSecret: "s3cret-app",
            transport: transport ?? network, clock: network.clock)
        return TokenRefresher(token: AccessToken("s3cret-old"), clock: network.clock) { _ in
            try await oauth.clientCredentials()
        }
    }

    static let all: [ExploredChain] = {
        var chains = single + composed
        #if Logging
            chains.append(
                ExploredChain("logging inside authorizing") { network in
                    let logger = Logger(label: "exploration") { _ in
                        LineLogHandler { network.note(.log($0)) }
                    }
                    let logged = network.logging(to: logger, clock: network.clock)
                    return logged.authorizing(with: tokens(network, over: logged))
                })
        #endif
        #if Metrics
            chains.append(ExploredChain("measuring") { $0.measuring(clock: $0.clock) })
        #endif
        #if Tracing
            chains.append(ExploredChain("tracing") { $0.tracing() })
        #endif
        return chains
    }()

    private static let single: [ExploredChain] = [
        ExploredChain("no layer") { $0 },
        ExploredChain("retrying") { $0.retrying(.exponential(), clock: $0.clock) },
        ExploredChain("retrying with limits of time") { network in
            var policy = RetryPolicy.exponential()
            (policy.attemptTimeout, policy.totalTimeout) = (10, 20)
            return network.retrying(policy, clock: network.clock)
        },
        ExploredChain("authorizing") { $0.authorizing(with: tokens($0)) },
        ExploredChain("caching in memory") { $0.caching(in: MemoryCacheStore(), clock: $0.clock) },
        ExploredChain("caching on disk") { network in
            network.caching(in: DiskCacheStore(folder: network.folder), clock: network.clock)
        },
        ExploredChain("breakingCircuit") { network in
            var policy = CircuitBreaker.Policy()
            policy.minimumCalls = 1
            return network.breakingCircuit(with: CircuitBreaker(policy, clock: network.clock))
        },
        ExploredChain("limitingRate") {
            $0.limitingRate(with: RateLimiter(1, per: 1, clock: $0.clock))
        },
        ExploredChain("limitingConcurrency") { $0.limitingConcurrency(perHost: 1) },
        ExploredChain("hedging") { $0.hedging(after: 0.3, clock: $0.clock) },
        ExploredChain("coalescing") { $0.coalescing() },
        ExploredChain("timingOut") { $0.timingOut(after: 5, clock: $0.clock) },
        ExploredChain("addingIdempotencyKeys") {
            $0.retrying(.exponential(), clock: $0.clock).addingIdempotencyKeys()
        },
        ExploredChain("identifying, observing and recording") { network in
            let name = network.isRestart ? "second.har" : "first.har"
            let recorder = try HARRecorder(
                to: network.folder.appendingPathComponent(name), clock: network.clock)
            return network.identifying()
                .observing(clock: network.clock) { network.note(.log("\($0)")) }
                .recording(to: recorder)
        },
        ExploredChain("replacingOrigin") {
            $0.replacingOrigin(with: url("https://stage.test"))
        },
        ExploredChain("signing") { network in
            let signer = AWSSigner(
                service: "execute-api", region: "eu-west-1", clock: network.clock
            ) {
                AWSCredentials(accessKeyID: "s3cret-id", secretAccessKey: "s3cret-key")
            }
            return network.signing(with: signer)
        },
    ]

    /// Layer orders that the README recommends.
    private static let composed: [ExploredChain] = [
        ExploredChain("timingOut, breakingCircuit") { network in
            network.timingOut(after: 10, clock: network.clock)
                .breakingCircuit(with: CircuitBreaker(clock: network.clock))
        },
        ExploredChain("the order of the README") { network in
            network
                .timingOut(after: 10, clock: network.clock)
                .limitingConcurrency(perHost: 6)
                .limitingRate(with: RateLimiter(10, per: 1, clock: network.clock))
                .authorizing(with: tokens(network))
                .retrying(.exponential(), clock: network.clock)
                .addingIdempotencyKeys()
                .coalescing()
                .caching(in: DiskCacheStore(folder: network.folder), clock: network.clock)
                .timingOut(after: 60, clock: network.clock)
        },
        ExploredChain("authorizing around the other layers") {
            $0.authorizingAroundLayers(with: tokens($0), clock: $0.clock)
        },
    ]
}

extension Transport {
    /// The layer order that the README recommends for users who change while requests are in
    /// flight.
    func authorizingAroundLayers(
        with tokens: TokenRefresher, clock: any MoyaClock, timeoutClock: (any MoyaClock)? = nil
    ) -> some Transport {
        timingOut(after: 10, clock: timeoutClock ?? clock)
            .retrying(.exponential(), clock: clock)
            .coalescing()
            .caching(in: MemoryCacheStore(), clock: clock)
            .authorizing(with: tokens)
            .addingIdempotencyKeys()
    }
}

/// Each layer, and the layer orders that the README recommends, with random pairs of faults.
@Suite(.seeded) struct LayerExplorationTests {

    /// Sends two concurrent requests, an unsafe request, and a cacheable request.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Sendable private static func shop(
        _ network: ExploredNetwork, _ chain: ExploredChain
    ) async throws -> String {
        let provider = MoyaProvider<ExplorationCall>(transport: try chain.make(network))
        network.expectRelease(of: provider)
        async let first = provider.request(.get("/private"))
        async let second = provider.request(.get("/private"))
        _ = try? await (first, second)
        // No layer remembers the order across a restart, so only the first process sends it.
        if !network.isRestart { _ = try await provider.request(.order) }
        _ = try await provider.request(.get("/cached"))
        try await network.clock.sleep(for: 2)
        return String(decoding: try await provider.request(.get("/cached")).data, as: UTF8.self)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test(arguments: ExploredChain.all)
    func `a chain of layers keeps its guarantees under random pairs of faults`(chain: ExploredChain)
        async throws
    {
        var options = ExplorationOptions.forTests
        // A cache validates in the background.
        options.grace = 120
        let report = try await explore(
            depth: 2, options: options, server: { ExplorationServer() }
        ) { network in
            try await Self.shop(network, chain)
        } holding: { run in
            run.ends(within: .seconds(600))
            // No layer remembers requests of a killed process, or can detect that the network
            // delivers another request's 401 for an order. Client credentials may be requested
            // twice.
            if run.killCount == 0, !run.replacesOrder {
                run.neverRepeatsUnsafely(matching: !.path("/token"))
                run.neverSends(.post, "/orders", moreThan: 1, unlessIdempotent: true)
            }
            run.keepsSecret("s3cret")
            run.leavesNothingBehind()
            run.check("errors are MoyaErrors") {
                run.error.map { $0 is MoyaError } ?? true || run.isCancelled
            }
            run.check("the order is there or the user was told") {
                run.server.orderCount > 0 || run.value == nil || run.killCount > 0
                    || run.replacesOrder
            }
            run.check("the response is that of the request") {
                run.value?.contains("/cached") ?? true || run.changesBody
            }
        }
        print("\(chain.name): \(report.runs) runs, \(report.leftOut) left out")
        #expect(report.completeDepth >= 1)
        #expect(report.unrepeatable == 0)
        #expect(!report.usesOtherThreads)
    }
}

extension ExplorationOptions {
    /// Every single fault, and a bounded number of pairs drawn with a seed. `MOYA_EXPLORATION_RUNS`
    /// and `MOYA_SEED` override the number and the seed.
    static var forTests: ExplorationOptions {
        var options = ExplorationOptions()
        let runs = ProcessInfo.processInfo.environment["MOYA_EXPLORATION_RUNS"].flatMap { Int($0) }
        options.runs = runs ?? 25
        options.seed = SeededGenerator.processSeed
        if runs != nil { options.seconds = 3600 }
        return options
    }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
extension ExploredRun {
    /// Whether a fault replaced the body of a response.
    var changesBody: Bool {
        let names = [
            "body not JSON", "JSON of another shape", "body empty",
            "response of the request before",
        ]
        return exchanges.contains { names.contains($0.fault?.name ?? "") }
    }

    /// Whether a fault delivered another request's response for the order.
    var replacesOrder: Bool {
        exchanges.contains { $0.fault?.name == "response of the request before" }
    }
}
