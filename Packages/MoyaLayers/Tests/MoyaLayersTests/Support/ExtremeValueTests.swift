import Foundation
import MoyaCore
@testable import MoyaLayers
import MoyaTestSupport
import MoyaTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Extreme numbers from servers and callers, which must not trap.
@Suite struct ExtremeValueTests {
    private static let extremes: [TimeInterval] = [
        .infinity, -.infinity, .nan, .greatestFiniteMagnitude, -1, 0, .leastNonzeroMagnitude,
    ]

    @Test(arguments: extremes)
    func `errors, tokens and backoffs accept any duration without crashing`(seconds: TimeInterval)
        async throws
    {
        _ = RateLimitError(retryAfter: seconds).localizedDescription
        _ = CircuitOpenError(origin: "a", retryAfter: seconds).localizedDescription
        _ = AccessToken("a", expiration: Date(timeIntervalSince1970: seconds)).description
        for backoff in [Backoff(base: seconds), .init(limit: seconds), .init(factor: seconds)] {
            let wait = try #require(backoff.wait(beforeRetry: 3))
            #expect(wait >= 0 && wait <= 1e9)
        }
    }

    @Test(arguments: [Int.min, -1, 0, .max])
    func `a circuit breaker accepts any window size without crashing`(window: Int) async throws {
        var policy = CircuitBreaker.Policy()
        policy.window = window
        policy.minimumCalls = window
        let transport = StubTransport { try .test($0, 503) }
            .breakingCircuit(with: CircuitBreaker(policy))
        for _ in 0..<3 {
            do {
                #expect(try await transport.send(.test()).head.statusCode == 503)
            } catch {
                #expect(error is CircuitOpenError)
            }
        }
    }

    @Test(arguments: extremes)
    func `a HAR entry accepts any start date without crashing`(seconds: TimeInterval) throws {
        let result = Result<TransportResponse, any Error> { try .test(.test()) }
        let entry = HARWriter(options: HAROptions()).entry(
            .test(), result, started: Date(timeIntervalSince1970: seconds), duration: 0)
        #expect(entry.startedDateTime.hasSuffix("Z"))
    }

    @Test(arguments: ["Retry-After", "RateLimit-Reset", "Age", "Expires"])
    func `layers accept any number in a server's header fields without crashing`(name: String)
        async throws
    {
        let clock = TestClock(movesByItself: true)
        for digits in [1, 10, 20, 400] {
            let value = String(repeating: "9", count: digits)
            let headers = [
                "RateLimit-Remaining": "0", "Cache-Control": "max-age=\(value)", name: value,
            ]
            let stub = StubTransport { try .test($0, 429, headers) }
            let transport = stub.limitingRate(with: RateLimiter(1, per: 1, clock: clock))
                .retrying(clock: clock).caching(in: MemoryCacheStore(), clock: clock)
            for _ in 0..<3 {
                do {
                    #expect(try await transport.send(.test()).head.statusCode == 429)
                } catch {
                    #expect(error is RateLimitError)
                }
            }
        }
    }

    @Test(arguments: ["\"nan\"", "\"inf\"", "1e308", "-1e308", "99999999999999999999"])
    func `a token refresher accepts any expires_in of a server without crashing`(lifetime: String)
        async throws
    {
        let stub = StubTransport {
            try .test($0, body: "{\"access_token\":\"t\",\"expires_in\":\(lifetime)}")
        }
        let oauth = OAuth2Client(
            tokenEndpoint: url("https://auth.test/"), clientID: "a", transport: stub)
        let tokens = TokenRefresher { _ in try await oauth.clientCredentials() }
        for _ in 0..<2 { #expect(try await tokens.validToken().value == "t") }
    }
}
