import Foundation
@_spi(MoyaInternals) import MoyaCore
@testable import MoyaPlugins
@_spi(MoyaInternals) import MoyaTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server whose answers a test changes as it goes, and that validates.
private final class Origin: Transport {
    struct Page {
        var status = 200
        var headers: [String: String] = [:]
        var body = "one"
        var error: URLError.Code?
    }

    private let state: Locked<(page: Page, requests: [TransportRequest])>

    init(_ headers: [String: String] = [:]) {
        state = Locked((Page(headers: headers), []))
    }

    var page: Page {
        get { state.withLock(\.page) }
        set { state.withLock { $0.page = newValue } }
    }

    var requests: [TransportRequest] { state.withLock(\.requests) }
    var count: Int { requests.count }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        state.withLock { $0.requests.append(request) }
        if let error = page.error { throw URLError(error) }
        if let tag = page.headers["ETag"], request.value(for: "If-None-Match") == tag {
            return try .test(request, 304, page.headers, body: "")
        }
        return try .test(request, page.status, page.headers, body: page.body)
    }
}

@Suite struct CachingTransportTests {
    private let clock = TestClock()
    private let store = MemoryCacheStore()

    private func cache(
        _ origin: some Transport, _ change: (inout CacheOptions) -> Void = { _ in }
    ) -> CachingTransport {
        var options = CacheOptions()
        change(&options)
        return origin.caching(in: store, options: options, clock: clock)
    }

    @Test func `a fresh response is served again, and says so`() async throws {
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

    @Test(arguments: ["Moya; ;hit", "Moya;=", "Moya;", "Moya;=;stored", ";", "", ","])
    func `any Cache-Status of a server is survived`(value: String) async throws {
        let response = try TransportResponse.test(.test(), 200, ["Cache-Status": value])
        #expect(response.cacheStatus?.isStored != true || value.hasSuffix("stored"))
    }

    @Test func `a stale response is validated and fresh again`() async throws {
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

    @Test func `a response that has changed takes the old one's place`() async throws {
        let origin = Origin(["Cache-Control": "max-age=10", "ETag": "\"a\""])
        let cache = cache(origin)
        _ = try await cache.send(.test())
        clock.advance(by: 10)
        origin.page = .init(headers: ["Cache-Control": "max-age=10", "ETag": "\"b\""], body: "two")
        #expect(try await cache.send(.test()).text == "two")
        #expect(try await cache.send(.test()).text == "two")
        #expect(origin.count == 2)
    }

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

    @Test func `an answer that may not be stored takes the older one away, and an error does not`()
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

    @Test func `only-if-cached asks nobody, not even in the background`() async throws {
        let origin = Origin(["Cache-Control": "max-age=10, stale-while-revalidate=20"])
        let cache = cache(origin)
        _ = try await cache.send(.test())
        clock.advance(by: 15)
        let stale = try await cache.send(.test(headers: ["Cache-Control": "only-if-cached"]))
        #expect(stale.text == "one")
        #expect(!cache.isValidatingInBackground)
        #expect(origin.count == 1)
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

    @Test func `a stale response is served while it is validated once`() async throws {
        let gate = GatedTransport()
        let cache = cache(gate)
        let headers = ["Cache-Control": "max-age=10, stale-while-revalidate=20"]
        async let first = cache.send(.test())
        await gate.waitForSends(1)
        gate.answer { try .test($0, 200, headers, body: "one") }
        _ = try await first
        clock.advance(by: 15)
        for _ in 0..<3 {
            let stale = try await cache.send(.test())
            #expect(stale.text == "one")
            #expect(stale.cacheStatus?.timeToLive == -5)
        }
        await gate.waitForSends(2)
        gate.answer { try .test($0, 200, headers, body: "two") }
        while cache.isValidatingInBackground { await Task.yield() }
        #expect(try await cache.send(.test()).text == "two")
        #expect(gate.sendCount == 2)
    }

    @Test(arguments: [URLError.Code.timedOut, .cannotConnectToHost, .notConnectedToInternet])
    func `a stale response stands in for an error where the server allows it`(
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

    @Test func `a server error is stood in for as well, and not one that must revalidate`()
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

    @Test(arguments: [
        ("max-age=10", "max-stale", true), ("max-age=10", "max-stale=5", true),
        ("max-age=10", "max-stale=4", false), ("max-age=10", "max-stale, min-fresh=1", false),
        ("max-age=10, must-revalidate", "max-stale", false),
        ("max-age=10, must-revalidate, stale-while-revalidate=20", "", false),
        ("max-age=10, no-cache", "max-stale", false), ("max-age=100", "max-age=14", false),
        ("max-age=100", "max-age=15", true), ("max-age=100", "min-fresh=85", true),
        ("max-age=100", "min-fresh=86", false), ("max-age=100", "no-cache", false),
    ])
    func `what request and response say together decides`(
        response: String, request: String, isHit: Bool
    ) async throws {
        let cache = cache(Origin(["Cache-Control": response]))
        _ = try await cache.send(.test())
        clock.advance(by: 15)
        let headers = request.isEmpty ? [:] : ["Cache-Control": request]
        #expect(try await cache.send(.test(headers: headers)).cacheStatus?.isHit == isHit)
    }

    @Test func `a reload goes through, but not for what never changes`() async throws {
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

    @Test func `a cancelled request gets no stand-in`() async throws {
        let origin = Origin(["Cache-Control": "max-age=10, stale-if-error=20"])
        let cache = cache(origin)
        _ = try await cache.send(.test())
        clock.advance(by: 11)
        origin.page.error = .cancelled
        #expect(await urlErrorCode { try await cache.send(.test()) } == .cancelled)
    }

    @Test func `offline, what is stored is served whatever its age, and the rest is 504`()
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

    @Test func `a target's cache policy is honoured`() async throws {
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

    @Test(arguments: ["POST", "PUT", "DELETE", "PATCH"])
    func `a request that changes something takes what is stored away`(
        method: String
    ) async throws {
        let origin = Origin(["Cache-Control": "max-age=10"])
        let cache = cache(origin)
        _ = try await cache.send(.test())
        _ = try await cache.send(.test("GET", "http://host.test/other"))
        _ = try await cache.send(.test("GET", "http://else.test/other"))
        origin.page.status = 500
        _ = try await cache.send(.test(method))
        #expect(try await cache.send(.test()).cacheStatus?.isHit == true)
        origin.page.status = 201
        origin.page.headers["Location"] = "/other"
        origin.page.headers["Content-Location"] = "http://else.test/other"
        _ = try await cache.send(.test(method))
        #expect(
            try await cache.send(.test("GET", "http://else.test/other")).cacheStatus?.isHit == true)
        #expect(try await cache.send(.test()).cacheStatus?.isHit == false)
        #expect(
            try await cache.send(.test("GET", "http://host.test/other")).cacheStatus?.isHit == false
        )
    }

    @Test(arguments: [
        ["Range": "bytes=0-1"], ["If-None-Match": "\"x\""], ["If-Modified-Since": "yesterday"],
    ])
    func `a request for a part or with its own conditions goes by`(
        headers: [String: String]
    ) async throws {
        let origin = Origin(["Cache-Control": "max-age=10"])
        let cache = cache(origin)
        _ = try await cache.send(.test())
        #expect(
            try await cache.send(.test(headers: headers)).cacheStatus == .forwarded(.bypass))
        #expect(origin.count == 2)
    }

    @Test func `requests that differ in their body get no answer of each other`() async throws {
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

    @Test(
        arguments: [
            ("\"a\"", "\"b\"", false), ("\"a\"", "\"a\"", true), ("W/\"a\"", "\"a\"", true),
            ("W/\"a\"", "\"b\"", false), ("\"a\"", "W/\"b\"", true), ("\"a\"", nil, true),
            (nil, "\"b\"", false),
        ] as [(String?, String?, Bool)])
    func `a 304 about another response does not renew the one there is`(
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

    @Test(arguments: [false, true])
    func `an answer that was under way during a change is not stored`(isValidated: Bool)
        async throws
    {
        let gate = GatedTransport()
        let cache = cache(gate)
        let headers = ["Cache-Control": "max-age=10", "ETag": "\"a\""]
        if isValidated {
            async let first = cache.send(.test())
            await gate.waitForSends(1)
            gate.answer { try .test($0, 200, headers) }
            _ = try await first
            clock.advance(by: 10)
        }
        let before = gate.sendCount
        async let old = cache.send(.test())
        await gate.waitForSends(before + 1)
        async let change = cache.send(.test("PUT"))
        await gate.waitForSends(before + 2)
        gate.answer(before + 2)
        _ = try await change
        gate.answer(before + 1) { try .test($0, isValidated ? 304 : 200, headers) }
        #expect(try await old.cacheStatus?.isStored == false)
        #expect(await store.responses(for: "http://host.test/path").isEmpty)
        async let next = cache.send(.test())
        await gate.waitForSends(before + 3)
        gate.answer { try .test($0, 200, headers) }
        #expect(try await next.cacheStatus?.isStored == true)
    }

    @Test func `what a redirect led to is not stored`() async throws {
        let stub = StubTransport { _ in
            try .test(.test("GET", "http://host.test/new"), 200, ["Cache-Control": "max-age=10"])
        }
        let cache = cache(stub)
        _ = try await cache.send(.test())
        _ = try await cache.send(.test())
        #expect(stub.requests.count == 2)
    }

    @Test func `a stored response goes where the request wants it`() async throws {
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

    @Test func `a body that went to a file is stored and validated too`() async throws {
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

    @Test func `a body that is too large is handed over and not stored`() async throws {
        let origin = Origin(["Cache-Control": "max-age=10"])
        let cache = cache(origin) { $0.maximumBodySize = 2 }
        #expect(try await cache.send(.test()).text == "one")
        #expect(try await cache.send(.test()).cacheStatus?.isHit == false)
    }

    @Test func `a provider's response tells what the cache did`() async throws {
        let origin = Origin(["Cache-Control": "max-age=10"])
        let provider = MoyaProvider<Unauthorized>(transport: cache(origin))
        #expect(try await provider.request(Unauthorized()).cacheStatus?.forward == .uriMiss)
        #expect(try await provider.request(Unauthorized()).cacheStatus?.isHit == true)
    }
}

private let directives: [(values: [String], seconds: TimeInterval?)] = [
    (["max-age=5"], 5), (["MAX-AGE=5"], 5), (["max-age=\"5\""], 5), ([" , max-age=5,"], 5),
    (["public", "max-age=5"], 5), (["max-age=5, max-age=6"], 5), (["a=\"x, max-age=9\""], nil),
    (["max-age=x"], 0), (["max-age"], 0), (["max-age=-1"], 0), (["max-age=\"5"], 5),
    (["max-age=99999999999999999999"], 2_147_483_647), ([""], nil), ([], nil),
    (["a=\"\\\",\", max-age=7"], 7), (["=,=;,\"\"=\"\\"], nil),
]

@Suite struct CacheControlTests {
    @Test(arguments: directives)
    func `directives are read as they are written`(values: [String], seconds: TimeInterval?) {
        #expect(CacheControl(values).seconds("max-age") == seconds)
    }
}
