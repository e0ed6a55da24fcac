import Foundation
@_spi(MoyaInternals) import MoyaCore
@testable import MoyaPlugins
@_spi(MoyaInternals) import MoyaTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Whose responses a cache serves to whom.
@Suite struct CacheSeparationTests: CachingSuite {
    let clock = TestClock()
    let store = MemoryCacheStore()

    @Test func `users never get each other's responses`() async throws {
        let origin = Origin(["Cache-Control": "max-age=10"])
        let cache = cache(origin)
        origin.page.body = "of A"
        _ = try await cache.send(.test(headers: ["Authorization": "Bearer A"]))
        origin.page.body = "of B"
        #expect(try await cache.send(.test(headers: ["Authorization": "Bearer B"])).text == "of B")
        #expect(try await cache.send(.test(headers: ["Authorization": "Bearer A"])).text == "of A")
        origin.page.body = "of nobody"
        #expect(try await cache.send(.test()).text == "of nobody")
        #expect(origin.count == 3)
    }

    @Test func `a request with a credential goes by`() async throws {
        let origin = Origin(["Cache-Control": "max-age=10"])
        let cache = cache(origin)
        for user in ["a", "b"] {
            var request = TransportRequest.test()
            request.credential = URLCredential(user: user, password: "p", persistence: .none)
            #expect(try await cache.send(request).cacheStatus == .forwarded(.bypass))
        }
        #expect(try await cache.send(.test()).cacheStatus?.isHit == false)
        #expect(origin.count == 3)
    }

    @Test func `a response to one who will be authorized is not another's`() async throws {
        let origin = Origin(["Cache-Control": "max-age=10"])
        let tokens = TokenRefresher(token: AccessToken("t")) { _ in AccessToken("t") }
        let cache = cache(origin.authorizing(with: tokens))
        let member = TransportRequest.test(target: Thing(authorizationType: .bearer))
        _ = try await cache.send(member)
        #expect(try await cache.send(.test()).cacheStatus == .forwarded(.varyMiss, isStored: true))
        #expect(try await cache.send(member).cacheStatus?.isHit == true)
        #expect(origin.count == 2)
    }

    @Test func `what depends on cookies is stored where the request names them`() async throws {
        let cache = cache(Origin(["Cache-Control": "max-age=10", "Vary": "Cookie"]))
        for _ in 0..<2 {
            #expect(
                try await cache.send(.test()).cacheStatus
                    == .forwarded(.uriMiss, isStored: false))
        }
        let named = TransportRequest.test(headers: ["Cookie": "a=1"])
        _ = try await cache.send(named)
        #expect(try await cache.send(named).cacheStatus?.isHit == true)
    }

    @Test func `no secret of a request is kept`() async throws {
        let origin = Origin(["Cache-Control": "max-age=10", "Vary": "Cookie"])
        _ = try await cache(origin).send(
            .test(headers: ["Authorization": "Bearer hush-1", "Cookie": "hush-2"]))
        let stored = await store.responses(for: "http://host.test/path")
        let file = try CacheRecord(key: "k", responses: stored).encoded()
        #expect(stored.count == 1)
        #expect(!String(decoding: file, as: UTF8.self).contains("hush"))
    }
}
