import Foundation
import MoyaCore
@testable import MoyaLayers
import MoyaTestSupport
import MoyaTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Validation of stored responses with conditional requests.
@Suite struct CacheValidationTests: CachingSuite {
    let clock = TestClock()
    let store = MemoryCacheStore()

    @Test func `a stale response is fresh again after a 304`() async throws {
        let origin = Origin(["Cache-Control": "max-age=10", "ETag": "\"a\""])
        let cache = cache(origin)
        _ = try await cache.send(.test())
        clock.advance(by: 10)
        origin.page.headers["X-New"] = "yes"
        let validated = try await cache.send(.test())
        #expect(validated.head.statusCode == 200)
        #expect(validated.text == "one")
        #expect(validated.head.value(for: "X-New") == "yes")
        #expect(
            validated.cacheStatus == .forwarded(.stale, status: 304, isStored: true))
        clock.advance(by: 9)
        #expect(try await cache.send(.test()).cacheStatus?.isHit == true)
        #expect(origin.count == 2)
    }

    @Test func `a changed response replaces the stored response`() async throws {
        let origin = Origin(["Cache-Control": "max-age=10", "ETag": "\"a\""])
        let cache = cache(origin)
        _ = try await cache.send(.test())
        clock.advance(by: 10)
        origin.page = .init(headers: ["Cache-Control": "max-age=10", "ETag": "\"b\""], body: "two")
        #expect(try await cache.send(.test()).text == "two")
        #expect(try await cache.send(.test()).text == "two")
        #expect(origin.count == 2)
    }

    @Test(
        arguments: [
            ("\"a\"", "\"b\"", false), ("\"a\"", "\"a\"", true), ("W/\"a\"", "\"a\"", true),
            ("W/\"a\"", "\"b\"", false), ("\"a\"", "W/\"b\"", true), ("\"a\"", nil, true),
            (nil, "\"b\"", false),
        ] as [(String?, String?, Bool)])
    func `a 304 refreshes a stored response only if the entity tags match`(
        tag: String?, confirmed: String?, isSame: Bool
    ) async throws {
        let stub = StubTransport { request in
            var headers = [
                "Cache-Control": "max-age=10", "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT",
            ]
            if request.value(for: "If-Modified-Since") != nil {
                headers["ETag"] = confirmed
                return try .test(request, 304, headers, body: "")
            }
            headers["ETag"] = tag
            return try .test(request, 200, headers, body: "one")
        }
        let cache = cache(stub)
        _ = try await cache.send(.test())
        clock.advance(by: 10)
        let second = try await cache.send(.test())
        #expect(second.text == "one")
        #expect(second.head.statusCode == 200)
        #expect(stub.requests.count == (isSame ? 2 : 3))
        #expect(stub.requests.last?.value(for: "If-None-Match") == (isSame ? tag : nil))
        if !isSame { #expect(second.head.value(for: "ETag") == tag) }
        #expect(try await cache.send(.test()).cacheStatus?.isHit == true)
    }

    @Test func `a Vary field in a 304 applies to the stored response`() async throws {
        let origin = Origin(["Cache-Control": "max-age=10", "ETag": "\"a\""])
        let cache = cache(origin)
        let german = TransportRequest.test(headers: ["Accept-Language": "de"])
        _ = try await cache.send(german)
        clock.advance(by: 10)
        origin.page.headers["Vary"] = "Accept-Language"
        _ = try await cache.send(german)
        #expect(try await cache.send(german).cacheStatus?.isHit == true)
        let french = TransportRequest.test(headers: ["Accept-Language": "fr"])
        #expect(try await cache.send(french).cacheStatus?.forward == .varyMiss)
    }

    @Test(arguments: [["Vary": "*"], ["Cache-Control": "no-store"]])
    func `a 304 with no-store or Vary: * removes the stored response`(headers: [String: String])
        async throws
    {
        let origin = Origin(["Cache-Control": "max-age=10", "ETag": "\"a\""])
        let cache = cache(origin)
        _ = try await cache.send(.test())
        clock.advance(by: 10)
        origin.page.headers.merge(headers) { $1 }
        let last = try await cache.send(.test())
        #expect(last.text == "one")
        #expect(last.cacheStatus?.isStored == false)
        #expect(await store.responses(for: "http://host.test/path").isEmpty)
    }
}
