import Foundation
import MoyaCore
import MoyaInternals
import MoyaLayers
import MoyaTestSupport
import MoyaTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Another user signs in while requests are in flight, with every fault and random pairs of faults.
@Suite(.seeded) struct UserChangeExplorationTests {
    /// A refresher with the token `ann-old`, which the server refuses, and `ann-new` after a
    /// refresh.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    private static func tokens(_ network: ExploredNetwork) -> TokenRefresher {
        TokenRefresher(token: AccessToken("ann-old"), clock: network.clock) { last in
            var request = URLRequest(url: url("https://api.test/token"))
            request.httpMethod = "POST"
            let response = try await network.send(TransportRequest(request))
            guard response.head.statusCode == 200 else { throw URLError(.badServerResponse) }
            return AccessToken("\(last?.user ?? "nobody")-new")
        }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    private static var chains:
        [(String, @Sendable (ExploredNetwork, TokenRefresher) -> any Transport)]
    {
        [
            ("authorizing", { $0.authorizing(with: $1) }),
            (
                "authorizing around the other layers",
                { $0.authorizingAroundLayers(with: $1, clock: $0.clock) }
            ),
        ]
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    /// Returns the number of responses that the second user was shown.
    @Sendable private static func change(
        _ network: ExploredNetwork,
        chain: @Sendable (ExploredNetwork, TokenRefresher) -> any Transport
    ) async throws -> Int {
        let tokens = tokens(network)
        let provider = MoyaProvider<ExplorationCall>(transport: chain(network, tokens))
        let load = { @Sendable (user: String, path: String) in
            guard let response = try? await provider.request(.get(path)) else { return 0 }
            network.note(.shown(response.data, to: user))
            return 1
        }
        async let first = load("ann", "/private")
        async let second = load("ann", "/cached")
        try await network.clock.sleep(for: 0.15)
        tokens.replaceToken(with: AccessToken("bob-old"))
        network.note(.mark("ann signed out"))
        let shownToBob = await load("bob", "/private") + load("bob", "/cached")
        _ = await (first, second)
        return shownToBob
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test(arguments: 0..<2)
    func `no user gets another user's response while the signed-in user changes`(
        number: Int
    ) async throws {
        let chain = Self.chains[number]
        var options = ExplorationOptions.forTests
        // A refresh continues although the request that started it is cancelled.
        options.grace = 120
        // A restarted process starts with the first user again.
        let faults = [Fault].everyFault.filter { !$0.name.hasPrefix("process killed") }
        let report = try await explore(
            faults, depth: 2, options: options, server: { ExplorationServer() }
        ) { network in
            try await Self.change(network, chain: chain.1)
        } holding: { run in
            run.ends(within: .seconds(600))
            run.leavesNothingBehind()
            if run.exchanges.allSatisfy({ $0.fault == nil }) {
                run.check("without faults, the second user sees both responses") { run.value == 2 }
            }
            // A client cannot detect that the network delivers another request's response.
            let isConfused = run.exchanges.contains {
                $0.fault?.name == "response of the request before"
            }
            if !isConfused {
                run.servesEachUserTheirOwn { $0.user }
            }
            // Only in this chain: in the other, `authorizing` is around `retrying`, so a retry
            // inside it keeps the token of its request.
            if chain.0 == "authorizing" {
                run.sendsNothing(
                    after: "ann signed out", matching: RequestMatcher("as ann") { $0.user == "ann" }
                )
            }
        }
        #expect(report.completeDepth >= 1)
        #expect(report.neverTested.isEmpty)
    }
}

extension AccessToken {
    fileprivate var user: String? { value.split(separator: "-").first.map(String.init) }
}

extension TransportRequest {
    fileprivate var user: String? {
        urlRequest.value(forHTTPHeaderField: "Authorization")?.split(separator: " ").last
            .flatMap { $0.split(separator: "-").first.map(String.init) }
    }
}
