import Foundation
import MoyaCore
import MoyaInternals
import MoyaLayers
import MoyaTestSupport
import MoyaMockServer
import MoyaTesting
import MoyaTransportCurl
import MoyaTransportFoundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The layers over real connections, with libcurl and with URLSession.
@Suite(.timeLimit(.minutes(3))) struct WireTests {
    private static func temporaryFile() -> URL {
        FileManager.default.temporaryDirectory.appendingPathComponent("wire-\(UUID().uuidString)")
    }

    @Test(arguments: Carrier.allCases)
    func `a lost connection and a 503 are retried over the wire`(kind: Carrier) async throws {
        let count = Locked(0)
        let server = try MockServer { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return switch number {
            case 1: .text("cut").truncated(after: 1)
            case 2: .text("busy", status: 503).adding("Retry-After", "0")
            default: .text("at last")
            }
        }
        defer { server.stop() }
        let clock = TestClock(movesByItself: true)
        let transport = kind.transport.retrying(.exponential(maximumRetries: 3), clock: clock)
        let file = Self.temporaryFile()
        defer { try? FileManager.default.removeItem(at: file) }
        let response = try await transport.send(
            .test(
                "PUT", server.url.absoluteString, body: .data(Data("body".utf8)),
                destination: .file(file)))
        #expect(response.text == "at last")
        #expect(server.requests.map(\.body) == Array(repeating: Data("body".utf8), count: 3))
    }

    @Test(arguments: Carrier.allCases)
    func `a stale response is validated over the wire`(kind: Carrier) async throws {
        let server = try MockServer { request in
            let isValid = request.value(for: "If-None-Match") == "\"v1\""
            let response =
                isValid
                ? MockResponse(status: 304, body: .none) : MockResponse.text("body")
            return response.adding("ETag", "\"v1\"").adding("Cache-Control", "max-age=10")
        }
        defer { server.stop() }
        let clock = TestClock(start: Date())
        let transport = kind.transport.caching(in: MemoryCacheStore(), clock: clock)
        let request = TransportRequest.test("GET", server.url.absoluteString)
        _ = try await transport.send(request)
        #expect(try await transport.send(request).cacheStatus?.isHit == true)
        clock.advance(by: 20)
        let file = Self.temporaryFile()
        defer { try? FileManager.default.removeItem(at: file) }
        var toFile = request
        toFile.destination = .file(file)
        let validated = try await transport.send(toFile)
        #expect(validated.head.statusCode == 200)
        #expect(validated.text == "body")
        #expect(validated.cacheStatus?.forwardStatus == 304)
        #expect(server.requests.count == 2)
    }

    @Test(arguments: Carrier.allCases)
    func `concurrent 401 responses cause one refresh, and every request succeeds`(
        kind: Carrier
    ) async throws {
        let server = try MockServer { request in
            if request.path == "/token" {
                return .json(["access_token": "new", "token_type": "bearer"])
            }
            return request.value(for: "Authorization") == "Bearer new"
                ? .text("in") : .text("out", status: 401)
        }
        defer { server.stop() }
        let inner = kind.transport
        let oauth = OAuth2Client(
            tokenEndpoint: server.url.appendingPathComponent("token"), clientID: "app",
            clientSecret: "secret", transport: inner)
        let tokens = TokenRefresher(token: AccessToken("old")) { _ in
            try await oauth.clientCredentials()
        }
        let transport = inner.authorizing(with: tokens)
        let address = server.url.absoluteString
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<30 {
                group.addTask {
                    try await transport.send(
                        .test("GET", address, target: Thing(authorizationType: .bearer))
                    ).text
                }
            }
            for try await text in group { #expect(text == "in") }
        }
        #expect(server.requests.count { $0.path == "/token" } == 1)
    }

    @Test(arguments: Carrier.allCases)
    func `a server never handles more concurrent requests than the concurrency limit`(kind: Carrier)
        async throws
    {
        let running = Locked((now: 0, most: 0))
        let server = try MockServer { _ in
            running.withLock { running in
                running.now += 1
                running.most = max(running.most, running.now)
            }
            defer { running.withLock { $0.now -= 1 } }
            return .text("done")
        }
        defer { server.stop() }
        let transport = kind.transport.limitingConcurrency(perHost: 2)
        let address = server.url.absoluteString
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<40 {
                group.addTask { _ = try await transport.send(.test("GET", address)) }
            }
            try await group.waitForAll()
        }
        #expect(running.withLock(\.most) <= 2)
        #expect(server.requests.count == 40)
    }

    @Test(arguments: Carrier.allCases)
    func `an exchange over the timeout disconnects from the server`(kind: Carrier) async throws {
        let server = try MockServer { _ in .silence(then: .stall) }
        defer { server.stop() }
        let clock = TestClock()
        let transport = kind.transport.timingOut(after: 5, clock: clock)
        let address = server.url.absoluteString
        async let code = urlErrorCode { try await transport.send(.test("GET", address)) }
        _ = try await server.waitForRequests(1)
        await clock.waitForSleepers()
        clock.advance(by: 5)
        #expect(await code == .timedOut)
        try await server.waitUntilDisconnected()
    }

    @Test(arguments: Carrier.allCases)
    func `cancelling all requests of a shared exchange disconnects from the server`(kind: Carrier)
        async throws
    {
        let server = try MockServer { _ in .silence(then: .stall) }
        defer { server.stop() }
        let transport = kind.transport.coalescing()
        let address = server.url.absoluteString
        let tasks = (0..<5).map { _ in
            Task { await urlErrorCode { try await transport.send(.test("GET", address)) } }
        }
        _ = try await server.waitForRequests(1)
        for task in tasks { task.cancel() }
        for task in tasks { #expect(await task.value == .cancelled) }
        try await server.waitUntilDisconnected()
    }

    @Test(arguments: Carrier.allCases)
    func `secrets of requests, redirects and errors are not written to the archive`(kind: Carrier)
        async throws
    {
        let server = try MockServer { request in
            request.path == "/in"
                ? .redirect(to: "/next?token=hush").adding("Set-Cookie", "id=hush") : .text("ok")
        }
        defer { server.stop() }
        let file = Self.temporaryFile()
        defer { try? FileManager.default.removeItem(at: file) }
        let recorder = try HARRecorder(to: file)
        let transport = kind.transport.recording(to: recorder)
        let address = server.url.appendingPathComponent("in").absoluteString
        for policy in [RedirectPolicy.refuse, .follow()] {
            var request = TransportRequest.test(
                "GET", address + "?access_token=hush",
                headers: ["Authorization": "Bearer hush", "X-Api-Key": "hush"])
            request.redirectPolicy = policy
            _ = try await transport.send(request)
        }
        // No server listens on this port.
        _ = try? await transport.send(.test("GET", "http://127.0.0.1:1/in?access_token=hush"))
        try recorder.finish()
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(!text.contains("hush"))
        #expect(text.contains("access_token=***"))
        #expect(text.contains("NSURLErrorDomain -1004"))
    }
}
