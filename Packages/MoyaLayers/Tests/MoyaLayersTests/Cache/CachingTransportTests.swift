import Foundation
import MoyaCore
@testable import MoyaLayers
import MoyaTesting
import MoyaTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Choice between a stored response and the network.
@Suite struct CachingTransportTests: CachingSuite {
    let clock = TestClock()
    let store = MemoryCacheStore()

    @Test func `a fresh stored response is served with Cache-Status and Age`() async throws {
        let origin = Origin(["Cache-Control": "max-age=10", "X-Kept": "yes"])
        let cache = cache(origin)
        let first = try await cache.send(.test())
        #expect(first.cacheStatus == .forwarded(.uriMiss, isStored: true))
        #expect(first.head.value(for: "Cache-Status") == "Moya; fwd=uri-miss; stored")
        clock.advance(by: 4)
        let second = try await cache.send(.test())
        #expect(second.cacheStatus?.isHit == true)
        #expect(second.head.value(for: "Cache-Status") == "Moya; hit; ttl=6")
        #expect(second.head.value(for: "Age") == "4")
        #expect(second.head.value(for: "X-Kept") == "yes")
        #expect(second.text == "one")
        #expect(origin.count == 1)
    }

    @Test(arguments: [
        ("max-age=10", "max-stale", true), ("max-age=10", "max-stale=5", true),
        ("max-age=10", "max-stale=4", false), ("max-age=10", "max-stale, min-fresh=1", false),
        ("max-age=10, must-revalidate", "max-stale", false),
        ("max-age=10, must-revalidate, stale-while-revalidate=20", "", false),
        ("max-age=10, no-cache", "max-stale", false), ("max-age=100", "max-age=14", false),
        ("max-age=100", "max-age=15", true), ("max-age=100", "min-fresh=85", true),
        ("max-age=100", "min-fresh=86", false), ("max-age=100", "no-cache", false),
    ])
    func `Cache-Control of request and response decides on serving a stored response`(
        response: String, request: String, isHit: Bool
    ) async throws {
        let cache = cache(Origin(["Cache-Control": response]))
        _ = try await cache.send(.test())
        clock.advance(by: 15)
        let headers = request.isEmpty ? [:] : ["Cache-Control": request]
        #expect(try await cache.send(.test(headers: headers)).cacheStatus?.isHit == isHit)
    }

    /// RFC 9111, section 5.2.1.5.
    @Test func `the response to a request with no-store is not stored`() async throws {
        let origin = Origin(["Cache-Control": "max-age=10"])
        let cache = cache(origin)
        let answer = try await cache.send(.test(headers: ["Cache-Control": "no-store"]))
        #expect(answer.cacheStatus?.isHit == false)
        #expect(try await cache.send(.test()).cacheStatus?.isHit == false)
        #expect(try await cache.send(.test()).cacheStatus?.isHit == true)
        #expect(origin.count == 2)
    }

    @Test func `reloadRevalidatingCacheData revalidates a response unless it is immutable`()
        async throws
    {
        for (control, isHit) in [("max-age=10", false), ("max-age=10, immutable", true)] {
            let origin = Origin(["Cache-Control": control])
            let cache = cache(origin)
            var request = TransportRequest.test("GET", "http://host.test/\(isHit)")
            _ = try await cache.send(request)
            request.urlRequest.cachePolicy = .reloadRevalidatingCacheData
            #expect(try await cache.send(request).cacheStatus?.isHit == isHit)
            #expect(
                origin.requests.last?.value(for: "Cache-Control") == (isHit ? nil : "max-age=0"))
        }
    }

    @Test func `each URLRequest cache policy decides between cache and network`() async throws {
        let origin = Origin(["Cache-Control": "max-age=10"])
        let cache = cache(origin)
        func send(_ policy: URLRequest.CachePolicy) async throws -> TransportResponse {
            var request = TransportRequest.test()
            request.urlRequest.cachePolicy = policy
            return try await cache.send(request)
        }
        let miss = try await send(.returnCacheDataDontLoad)
        #expect(miss.head.statusCode == 504)
        #expect(miss.cacheStatus?.isHit == false)
        _ = try await send(.useProtocolCachePolicy)
        _ = try await send(.reloadIgnoringLocalCacheData)
        #expect(origin.count == 2)
        clock.advance(by: 100)
        #expect(try await send(.returnCacheDataElseLoad).cacheStatus?.isHit == true)
        #expect(try await send(.returnCacheDataDontLoad).cacheStatus?.isHit == true)
        #expect(origin.count == 2)
    }

    @Test(arguments: [
        ["Range": "bytes=0-1"], ["If-None-Match": "\"x\""], ["If-Modified-Since": "yesterday"],
    ])
    func `a range request or a conditional request bypasses the cache`(
        headers: [String: String]
    ) async throws {
        let origin = Origin(["Cache-Control": "max-age=10"])
        let cache = cache(origin)
        _ = try await cache.send(.test())
        #expect(
            try await cache.send(.test(headers: headers)).cacheStatus == .forwarded(.bypass))
        #expect(origin.count == 2)
    }

    @Test func `a request with a body bypasses the cache`() async throws {
        let origin = Origin(["Cache-Control": "max-age=10"])
        let cache = cache(origin)
        for query in ["a", "b"] {
            origin.page.body = "about \(query)"
            let response = try await cache.send(.test(body: .data(Data(query.utf8))))
            #expect(response.text == "about \(query)")
            #expect(response.cacheStatus == .forwarded(.bypass))
        }
        origin.page.body = "of none"
        #expect(try await cache.send(.test()).text == "of none")
        #expect(origin.count == 3)
    }

    @Test func `a body over maximumBodySize is returned but not stored`() async throws {
        let origin = Origin(["Cache-Control": "max-age=10"])
        let cache = cache(origin) { $0.maximumBodySize = 2 }
        #expect(try await cache.send(.test()).text == "one")
        #expect(try await cache.send(.test()).cacheStatus?.isHit == false)
    }

    @Test func `a stored response is delivered to the destination of the request`() async throws {
        let origin = Origin(["Cache-Control": "max-age=10"])
        let cache = cache(origin)
        _ = try await cache.send(.test())
        let folder = try TemporaryFolder()
        let file = folder.file()
        let hit = try await cache.send(.test(destination: .file(file)))
        #expect(hit.cacheStatus?.isHit == true)
        #expect(try String(contentsOf: file, encoding: .utf8) == "one")
        #expect(
            await urlErrorCode { try await cache.send(.test(destination: .file(file))) }
                == .cannotCreateFile)
        #expect(
            await urlErrorCode { try await cache.send(.test(destination: .memory(limit: 2))) }
                == .dataLengthExceedsMaximum)
    }

    @Test func `a response body in a file is stored and validated`() async throws {
        let folder = try TemporaryFolder()
        let stub = StubTransport { request in
            let isValid = request.value(for: "If-None-Match") != nil
            var response = try TransportResponse.test(
                request, isValid ? 304 : 200, ["Cache-Control": "max-age=10", "ETag": "\"a\""])
            if case .file(let url) = request.destination {
                try Data((isValid ? "" : "one").utf8).write(to: url)
                response.body = .file(url)
            }
            return response
        }
        let cache = cache(stub)
        for name in ["a", "b"] {
            let file = folder.file(name)
            #expect(try await cache.send(.test(destination: .file(file))).text == "one")
            clock.advance(by: 20)
        }
        #expect(stub.requests.count == 2)
    }

    @Test func `the response of a provider has its cache status`() async throws {
        let origin = Origin(["Cache-Control": "max-age=10"])
        let provider = MoyaProvider<Unauthorized>(transport: cache(origin))
        #expect(try await provider.request(Unauthorized()).cacheStatus?.forward == .uriMiss)
        #expect(try await provider.request(Unauthorized()).cacheStatus?.isHit == true)
    }
}
