import Foundation
import MoyaCore
@testable import MoyaLayers
import MoyaTestSupport
import MoyaTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests and responses that remove stored responses.
@Suite(.timeLimit(.minutes(1))) struct CacheInvalidationTests: CachingSuite {
    let clock = TestClock()
    let store = MemoryCacheStore()

    @Test(arguments: ["POST", "PUT", "DELETE", "PATCH"])
    func `a successful unsafe request removes the stored responses of its URL and Location`(
        method: String
    ) async throws {
        let origin = Origin(["Cache-Control": "max-age=10"])
        let cache = cache(origin)
        _ = try await cache.send(.test())
        _ = try await cache.send(.test("GET", "http://host.test/other%20a%2Fb"))
        _ = try await cache.send(.test("GET", "http://else.test/other"))
        origin.page.status = 500
        _ = try await cache.send(.test(method))
        #expect(try await cache.send(.test()).cacheStatus?.isHit == true)
        origin.page.status = 201
        origin.page.headers["Location"] = "/other a%2Fb"
        origin.page.headers["Content-Location"] = "http://else.test/other"
        _ = try await cache.send(.test(method))
        #expect(
            try await cache.send(.test("GET", "http://else.test/other")).cacheStatus?.isHit == true)
        #expect(try await cache.send(.test()).cacheStatus?.isHit == false)
        let other = try await cache.send(.test("GET", "http://host.test/other%20a%2Fb"))
        #expect(other.cacheStatus?.isHit == false)
    }

    @Test(arguments: [false, true])
    func `a response in flight during an unsafe request is not stored`(isValidated: Bool)
        async throws
    {
        let gate = GatedTransport()
        let cache = cache(gate)
        let headers = ["Cache-Control": "max-age=10", "ETag": "\"a\""]
        if isValidated {
            async let first = cache.send(.test())
            try await gate.waitForSends(1)
            gate.answer { try .test($0, 200, headers) }
            _ = try await first
            clock.advance(by: 10)
        }
        let before = gate.sendCount
        async let old = cache.send(.test())
        try await gate.waitForSends(before + 1)
        async let change = cache.send(.test("PUT"))
        try await gate.waitForSends(before + 2)
        gate.answer(before + 2)
        _ = try await change
        gate.answer(before + 1) { try .test($0, isValidated ? 304 : 200, headers) }
        #expect(try await old.cacheStatus?.isStored == false)
        #expect(await store.responses(for: "http://host.test/path").isEmpty)
        async let next = cache.send(.test())
        try await gate.waitForSends(before + 3)
        gate.answer { try .test($0, 200, headers) }
        #expect(try await next.cacheStatus?.isStored == true)
    }

    @Test func `a no-store response removes the stored response, but a server error does not`()
        async throws
    {
        let origin = Origin(["Cache-Control": "max-age=100"])
        let cache = cache(origin)
        _ = try await cache.send(.test())
        let reload = TransportRequest.test(headers: ["Cache-Control": "no-cache"])
        origin.page = .init(status: 503)
        _ = try await cache.send(reload)
        #expect(try await cache.send(.test()).text == "one")
        origin.page = .init(headers: ["Cache-Control": "no-store"], body: "two")
        #expect(try await cache.send(reload).text == "two")
        #expect(try await cache.send(.test()).text == "two")
        #expect(origin.count == 4)
    }
}
