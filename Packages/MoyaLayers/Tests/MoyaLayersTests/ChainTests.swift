import Foundation
import MoyaCore
import MoyaLayers
import MoyaTestSupport
import MoyaTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(3))) struct ChainTests {
    /// Returns the layers in the README's order.
    private func chain(
        _ innermost: some Transport, _ tokens: TokenRefresher, _ clock: any MoyaClock
    ) -> some Transport {
        innermost
            .timingOut(after: 10, clock: clock)
            .limitingConcurrency(perHost: 6)
            .limitingRate(with: RateLimiter(10, per: 1, clock: clock))
            .authorizing(with: tokens)
            .retrying(.exponential(), clock: clock)
            .addingIdempotencyKeys()
            .coalescing()
            .caching(in: MemoryCacheStore(), clock: clock)
            .timingOut(after: 60, clock: clock)
    }

    @Test func `a chain of layers replays a 401 with a new token and caches the response`()
        async throws
    {
        let clock = TestClock()
        let server = StubTransport { request in
            guard request.urlRequest.value(forHTTPHeaderField: "Authorization") == "Bearer new"
            else {
                return try .test(request, 401)
            }
            return try .test(request, 200, ["Cache-Control": "max-age=60"])
        }
        let tokens = TokenRefresher(token: AccessToken("old"), clock: clock) { _ in
            AccessToken("new")
        }
        let transport = chain(server, tokens, clock)
        let request = TransportRequest.test(target: Thing(authorizationType: .bearer))
        #expect(try await transport.send(request).text == "answer")
        #expect(try await transport.send(request).cacheStatus?.isHit == true)
        #expect(server.requests.count == 2)
    }

    @Test func `inner retries begin no delay that exceeds an outer timeout`() async throws {
        let clock = TestClock()
        let stub = StubTransport(.response(503, headers: ["Retry-After": "59"]))
        let transport = stub.retrying(.exponential(), clock: clock)
            .timingOut(after: 30, clock: clock)
        #expect(try await transport.send(.test()).head.statusCode == 503)
        #expect(stub.requests.count == 1)
    }

    @Test func `a provider sends its requests through a chain of layers`() async throws {
        let clock = TestClock(movesByItself: true)
        let stub = StubTransport(.response(503), .response(200))
        let provider = MoyaProvider<Thing>(
            transport: stub.retrying(.exponential(), clock: clock))
        #expect(try await provider.request(Thing()).statusCode == 200)
    }
}
