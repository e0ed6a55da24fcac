import Foundation
import MoyaCore
import MoyaInternals
import MoyaTestSupport
import MoyaMockServer
import MoyaTesting
import MoyaTransportCurl
import Testing

@testable import MoyaLayers

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Number of requests that a server can cause with a single call.
@Suite struct RequestCountTests {
    /// Sends one request through all layers that repeat requests. `answer` gets the number of each
    /// received request, counted from 1. Returns the number of requests.
    private func send(
        _ answer: @escaping @Sendable (_ number: Int) -> MockResponse
    ) async throws -> Int {
        let server = try numberedServer { _, number in answer(number) }
        defer { server.stop() }
        let clock = TestClock(movesByItself: true)
        let tokens = TokenRefresher(clock: clock) { _ in AccessToken("new") }
        let transport = CurlTransport().authorizing(with: tokens)
            .retrying(.exponential(maximumRetries: 2), clock: clock).hedging(after: 0)
            .breakingCircuit(with: CircuitBreaker(clock: clock))
            .limitingRate(with: RateLimiter(1000, per: 1, clock: clock))
            .caching(in: MemoryCacheStore(), clock: clock).coalescing().addingIdempotencyKeys()
        let request = TransportRequest.test(
            "GET", server.url.absoluteString, target: Thing(authorizationType: .bearer))
        _ = try? await transport.send(request)
        return server.requests.count
    }

    private func numberedServer(
        _ answer: @escaping @Sendable (MockRequest, _ number: Int) -> MockResponse
    ) throws -> MockServer {
        let count = Locked(0)
        return try MockServer { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return answer(request, number)
        }
    }

    @Test(arguments: [
        (200, 2), (304, 2), (401, 4), (408, 6), (425, 2), (429, 6), (500, 6), (502, 6), (503, 6),
        (504, 6),
    ])
    func `a server that returns one status to all requests gets a bounded number of requests`(
        status: Int, most: Int
    ) async throws {
        let count = try await send { _ in
            MockResponse(status: status).adding("Retry-After", "0").adding("ETag", "\"a\"")
        }
        #expect((1...most).contains(count))
    }

    @Test
    func `a server that alternates 401, 307, 503 and resets gets a bounded number of requests`()
        async throws
    {
        let count = try await send { step in
            switch step % 4 {
            case 0: return .silence(then: .reset)
            case 1: return MockResponse(status: 401)
            case 2: return .redirect(to: "/\(step)", status: 307)
            default: return MockResponse(status: 503).adding("Retry-After", "0")
            }
        }
        #expect((1...24).contains(count))
    }

    @Test func `an endless redirect chain is limited by the redirect policy`()
        async throws
    {
        let count = try await send { .redirect(to: "/\($0)") }
        let once = RedirectPolicy.defaultLimit + 1
        #expect((once...2 * once).contains(count))
    }

    @Test func `a 304 with another entity tag causes one unconditional request`() async throws {
        let server = try numberedServer { request, step in
            let isConditional = request.value(for: "If-None-Match") != nil
            return MockResponse(status: isConditional ? 304 : 200)
                .adding("ETag", "\"\(step)\"").adding("Cache-Control", "max-age=0")
        }
        defer { server.stop() }
        let cache = CurlTransport().caching(in: MemoryCacheStore())
        for _ in 0..<5 { _ = try await cache.send(.test("GET", server.url.absoluteString)) }
        #expect(server.requests.count == 9)
    }
}
