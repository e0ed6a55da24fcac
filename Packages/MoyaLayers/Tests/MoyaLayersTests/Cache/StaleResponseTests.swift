import Foundation
import MoyaCore
@testable import MoyaLayers
import MoyaTesting
import MoyaTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Serving of stale responses (RFC 5861 and RFC 9111, section 4.2.4).
@Suite(.timeLimit(.minutes(1))) struct StaleResponseTests: CachingSuite {
    let clock = TestClock()
    let store = MemoryCacheStore()

    @Test func `stale-while-revalidate serves a stale response during one validation`() async throws
    {
        let gate = GatedTransport()
        let cache = cache(gate)
        let headers = ["Cache-Control": "max-age=10, stale-while-revalidate=20"]
        async let first = cache.send(.test())
        try await gate.waitForSends(1)
        gate.answer { try .test($0, 200, headers, body: "one") }
        _ = try await first
        clock.advance(by: 15)
        for _ in 0..<3 {
            let stale = try await cache.send(.test())
            #expect(stale.text == "one")
            #expect(stale.cacheStatus?.timeToLive == -5)
        }
        try await gate.waitForSends(2)
        gate.answer { try .test($0, 200, headers, body: "two") }
        try await until { !cache.isValidatingInBackground }
        #expect(try await cache.send(.test()).text == "two")
        #expect(gate.sendCount == 2)
    }

    @Test func `only-if-cached sends no request, not even in the background`() async throws {
        let origin = Origin(["Cache-Control": "max-age=10, stale-while-revalidate=20"])
        let cache = cache(origin)
        _ = try await cache.send(.test())
        clock.advance(by: 15)
        let stale = try await cache.send(.test(headers: ["Cache-Control": "only-if-cached"]))
        #expect(stale.text == "one")
        #expect(!cache.isValidatingInBackground)
        #expect(origin.count == 1)
    }

    @Test(arguments: [URLError.Code.timedOut, .cannotConnectToHost, .notConnectedToInternet])
    func `stale-if-error serves a stale response in place of a connection error`(
        code: URLError.Code
    ) async throws {
        let origin = Origin(["Cache-Control": "max-age=10, stale-if-error=20"])
        let cache = cache(origin)
        _ = try await cache.send(.test())
        clock.advance(by: 30)
        origin.page.error = code
        #expect(try await cache.send(.test()).text == "one")
        clock.advance(by: 1)
        #expect(await urlErrorCode { try await cache.send(.test()) } == code)
    }

    @Test func `staleIfError replaces a server error, except for must-revalidate responses`()
        async throws
    {
        let origin = Origin(["Cache-Control": "max-age=10"])
        let cache = cache(origin) { $0.staleIfError = 60 }
        _ = try await cache.send(.test())
        clock.advance(by: 20)
        origin.page.status = 503
        let standIn = try await cache.send(.test())
        #expect(standIn.head.statusCode == 200)
        #expect(standIn.head.value(for: "Cache-Status") == "Moya; fwd=stale; fwd-status=503")
        origin.page = .init(headers: ["Cache-Control": "max-age=10, must-revalidate"])
        _ = try await cache.send(.test())
        clock.advance(by: 20)
        origin.page.status = 503
        #expect(try await cache.send(.test()).head.statusCode == 503)
    }

    @Test func `stale-if-error does not replace a cancelled request`() async throws {
        let origin = Origin(["Cache-Control": "max-age=10, stale-if-error=20"])
        let cache = cache(origin)
        _ = try await cache.send(.test())
        clock.advance(by: 11)
        origin.page.error = .cancelled
        #expect(await urlErrorCode { try await cache.send(.test()) } == .cancelled)
    }

    @Test func `an offline cache serves a stored response of any age, or else 504`()
        async throws
    {
        let origin = Origin(["Cache-Control": "max-age=10, must-revalidate"])
        _ = try await cache(origin).send(.test())
        clock.advance(by: 1000)
        let offline = cache(origin) { $0.isOffline = { true } }
        #expect(try await offline.send(.test()).text == "one")
        #expect(try await offline.send(.test("GET", "http://host.test/2")).head.statusCode == 504)
        #expect(try await offline.send(.test("POST")).head.statusCode == 504)
        #expect(origin.count == 1)
    }
}
