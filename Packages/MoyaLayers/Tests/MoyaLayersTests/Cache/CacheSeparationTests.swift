import Foundation
import MoyaCore
@testable import MoyaLayers
import MoyaTesting
import MoyaTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Separation of users: a stored response is never served to another user.
@Suite struct CacheSeparationTests: CachingSuite {
    let clock = TestClock()
    let store = MemoryCacheStore()

    @Test func `requests with different access tokens do not share a stored response`() async throws
    {
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

    static let credentials = [
        "X-Api-Key", "Cookie", "Authorization", "apikey", "X-Auth-Token", "X-Session-Id",
        "Private-Token",
        "X-Functions-Key", "X-Otp", "X-User-Id", "X-Tenant", "X-Forwarded-User", "Client-Cert",
        "X-CustomerId", "X-OrganizationId", "X-WorkspaceId", "X-MemberId", "X-Client-Id",
        "X-On-Behalf-Of", "X-Unheard-Of",
    ]
    static let directives = [
        "max-age=600", "private, max-age=600", "public, max-age=600, s-maxage=600",
    ]

    @Test(arguments: credentials, directives)
    func `requests that differ in a field not known as harmless do not share a response`(
        name: String, directives: String
    ) async throws {
        let folder = try TemporaryFolder()
        let stores: [any CacheStore] = [store, DiskCacheStore(folder: folder.file("cache"))]
        for store in stores {
            let origin = Origin(["Cache-Control": directives])
            let cache = CachingTransport(
                next: origin, store: store, options: CacheOptions(), clock: clock)
            func answer(_ value: String?) async throws -> String {
                origin.page.body = "of \(value ?? "nobody")"
                return try await cache.send(.test(headers: value.map { [name: $0] } ?? [:])).text
            }
            #expect(try await answer("A") == "of A")
            #expect(try await answer("B") == "of B")
            #expect(try await answer(nil) == "of nobody")
            #expect(origin.count == 3)
            origin.page.body = "changed"
            for (value, expected) in [("A", "of A"), ("B", "of B"), (nil, "of nobody")] {
                let request = TransportRequest.test(
                    headers: value.map { [name.lowercased(): $0] } ?? [:])
                #expect(try await cache.send(request).text == expected)
            }
            #expect(origin.count == 3)
        }
    }

    @Test func `requests with one and with two credential fields do not share a response`()
        async throws
    {
        let origin = Origin(["Cache-Control": "max-age=600"])
        let cache = cache(origin)
        _ = try await cache.send(.test(headers: ["X-Api-Key": "A"]))
        let both = TransportRequest.test(headers: ["X-Api-Key": "A", "X-Auth-Token": "B"])
        #expect(try await cache.send(both).cacheStatus == .forwarded(.varyMiss, isStored: true))
    }

    @Test func `requests that differ only in harmless or tracing fields share a response`()
        async throws
    {
        let origin = Origin(["Cache-Control": "max-age=600"])
        let cache = cache(origin)
        for number in 0..<3 {
            let fields = [
                "X-Request-Id": "\(number)", "User-Agent": "a/\(number)",
                "Idempotency-Key": "\(number)", "traceparent": "00-\(number)",
                "tracestate": "a=\(number)",
                "Baggage": "a=\(number)", "X-Correlation-ID": "\(number)", "Accept": "a/\(number)",
                "x-b3-traceid": "\(number)", "Date": "\(number)", "Content-Type": "a/\(number)",
            ]
            _ = try await cache.send(.test(headers: fields))
        }
        #expect(origin.count == 1)
    }

    @Test func `a request with a user name in its URL bypasses the cache`() async throws {
        let origin = Origin(["Cache-Control": "max-age=600"])
        for _ in 0..<2 {
            let response = try await cache(origin).send(
                .test("GET", "http://ash:hush@host.test/path"))
            #expect(response.cacheStatus == .forwarded(.bypass))
        }
    }

    @Test func `secrets of a request's URL are not written to the disk cache`() async throws {
        let folder = try TemporaryFolder()
        let origin = Origin(["Cache-Control": "max-age=600"])
        let files = folder.file("cache")
        let cache = CachingTransport(
            next: origin, store: DiskCacheStore(folder: files), options: CacheOptions(),
            clock: clock)
        for token in ["hush-1", "hush-2", "hush-1"] {
            let address = "http://host.test/path?token=\(token)&page=1"
            let response = try await cache.send(.test("GET", address))
            #expect(response.head.url.absoluteString == address)
        }
        #expect(origin.count == 2)
        for name in try FileManager.default.contentsOfDirectory(atPath: files.path) {
            let data = try Data(contentsOf: files.appendingPathComponent(name))
            #expect(data.range(of: Data("hush".utf8)) == nil)
        }
    }

    @Test func `a request with a credential bypasses the cache`() async throws {
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

    @Test func `a response stored for an authorized target is not served to other requests`()
        async throws
    {
        let origin = Origin(["Cache-Control": "max-age=10"])
        let tokens = TokenRefresher(token: AccessToken("t")) { _ in AccessToken("t") }
        let cache = cache(origin.authorizing(with: tokens))
        let member = TransportRequest.test(target: Thing(authorizationType: .bearer))
        _ = try await cache.send(member)
        #expect(try await cache.send(.test()).cacheStatus == .forwarded(.varyMiss, isStored: true))
        #expect(try await cache.send(member).cacheStatus?.isHit == true)
        #expect(origin.count == 2)
    }

    @Test func `a response with Vary: Cookie is stored only if the request has a Cookie`()
        async throws
    {
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

    @Test func `secrets of a request's header fields are not stored`() async throws {
        let origin = Origin(["Cache-Control": "max-age=10", "Vary": "Cookie"])
        _ = try await cache(origin).send(
            .test(headers: ["Authorization": "Bearer hush-1", "Cookie": "hush-2"]))
        let stored = await store.responses(for: "http://host.test/path")
        let file = try CacheRecord(key: "k", responses: stored).encoded()
        #expect(stored.count == 1)
        #expect(!String(decoding: file, as: UTF8.self).contains("hush"))
    }
}
