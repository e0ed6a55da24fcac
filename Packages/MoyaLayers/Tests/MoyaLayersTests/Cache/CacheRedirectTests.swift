import Foundation
import MoyaCore
@testable import MoyaLayers
import MoyaTestSupport
import MoyaTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Caching of redirects and of redirected requests.
@Suite struct CacheRedirectTests: CachingSuite {
    let clock = TestClock()
    let store = MemoryCacheStore()

    @Test func `the response of a redirect target is not stored for the original URL`() async throws
    {
        let stub = StubTransport { _ in
            try .test(.test("GET", "http://host.test/new"), 200, ["Cache-Control": "max-age=10"])
        }
        let cache = cache(stub)
        _ = try await cache.send(.test())
        _ = try await cache.send(.test())
        #expect(stub.requests.count == 2)
    }

    @Test func `a 304 from a redirect target does not validate the stored response`() async throws {
        let stub = StubTransport { request in
            let headers = ["Cache-Control": "max-age=10", "ETag": "\"a\""]
            if request.value(for: "If-None-Match") == nil {
                return try .test(request, 200, headers)
            }
            return try .test(.test("GET", "http://host.test/new"), 304, headers, body: "")
        }
        let cache = cache(stub)
        _ = try await cache.send(.test())
        clock.advance(by: 10)
        let second = try await cache.send(.test())
        #expect(second.head.statusCode == 200)
        #expect(stub.requests.count == 3)
        #expect(stub.requests.last?.value(for: "If-None-Match") == nil)
    }

    @Test func `a stored redirect is served only to requests that refuse redirects`() async throws {
        let origin = Origin(["Cache-Control": "max-age=10", "Location": "/new"])
        origin.page.status = 301
        let cache = cache(origin)
        var refusing = TransportRequest.test()
        refusing.redirectPolicy = .refuse
        _ = try await cache.send(refusing)
        #expect(try await cache.send(refusing).cacheStatus?.isHit == true)
        for policy in [RedirectPolicy.follow(), .follow(limit: 3), .modify { $1 }] {
            var following = TransportRequest.test()
            following.redirectPolicy = policy
            #expect(try await cache.send(following).cacheStatus?.isHit == false)
        }
    }

    @Test func `a redirected unsafe request removes stored responses of both URLs`()
        async throws
    {
        let stub = StubTransport { request in
            let isChange = request.method != "GET"
            return try .test(
                isChange ? .test("PUT", "http://host.test/b") : request, 200,
                isChange ? [:] : ["Cache-Control": "max-age=10"])
        }
        let cache = cache(stub)
        let other = TransportRequest.test("GET", "http://host.test/b")
        for request in [other, .test()] { _ = try await cache.send(request) }
        _ = try await cache.send(.test("PUT"))
        for request in [other, .test()] {
            #expect(try await cache.send(request).cacheStatus?.isHit == false)
        }
    }
}
