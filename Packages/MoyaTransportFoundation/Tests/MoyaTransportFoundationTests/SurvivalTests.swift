import Foundation
@_spi(MoyaInternals) import MoyaCore
import MoyaTesting
import MoyaTransportFoundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests of every kind at once, with whatever a server and a caller can do to them.
///
/// `MOYA_SURVIVAL_REQUESTS=100000` makes it as many.
@Suite struct SurvivalTests {
    /// A way for a request to go, and how it may end.
    private struct Trial: Sendable {
        let path: String
        var method = "GET"
        var body = RequestBody.none
        var timeout: TimeInterval = 60
        var isCancelled = false
        var isStream = false
        var statuses: Set<Int> = []
        var errors: Set<URLError.Code> = []
    }

    private static let trials: [Trial] = [
        Trial(path: "/get", statuses: [200]),
        Trial(path: "/bytes/200000", statuses: [200]),
        Trial(path: "/gzip", statuses: [200]),
        Trial(path: "/stream/50", statuses: [200]),
        Trial(path: "/status/404", statuses: [404]),
        Trial(
            path: "/post", method: "POST", body: .data(Data(repeating: 7, count: 70_000)),
            statuses: [200]),
        Trial(path: "/put", method: "PUT", statuses: [200]),
        Trial(path: "/bytes/10", method: "HEAD", statuses: [200]),
        Trial(path: "/redirect/3", statuses: [200]),
        Trial(path: "/redirect/30", errors: [.httpTooManyRedirects]),
        Trial(path: "/redirect-to?url=ftp://a.test/", errors: [.unsupportedURL]),
        Trial(path: "/basic-auth/user/pass", statuses: [401]),
        Trial(path: "/close", errors: [.networkConnectionLost]),
        Trial(path: "/reset", errors: [.networkConnectionLost]),
        Trial(path: "/truncated", errors: [.networkConnectionLost]),
        Trial(path: "/truncated-reset", errors: [.networkConnectionLost]),
        Trial(
            path: "/bad-chunk", errors: [.networkConnectionLost, .cannotDecodeRawData, .unknown]),
        Trial(path: "/no-http", errors: [.badServerResponse]),
        Trial(
            path: "/close", method: "POST", body: .data(Data(repeating: 7, count: 200_000)),
            errors: [.networkConnectionLost]),
        Trial(path: "/stall", timeout: 0.05, errors: [.timedOut]),
        Trial(path: "/stall", isCancelled: true, errors: [.cancelled]),
        Trial(
            path: "/drip?bytes=100&delay=1", isCancelled: true, statuses: [200],
            errors: [.cancelled]),
        Trial(path: "/bytes/2000000", isCancelled: true, statuses: [200], errors: [.cancelled]),
        Trial(
            path: "/post", method: "POST", body: .data(Data(repeating: 7, count: 500_000)),
            isCancelled: true, statuses: [200], errors: [.cancelled]),
        Trial(path: "/bytes/700000", isStream: true, statuses: [200]),
        Trial(path: "/redirect/3", isStream: true, statuses: [200]),
        Trial(path: "/truncated", isStream: true, errors: [.networkConnectionLost]),
        Trial(
            path: "/bytes/2000000", isCancelled: true, isStream: true, statuses: [200],
            errors: [.cancelled]),
        Trial(path: "/post", method: "POST", body: pieces, statuses: [200]),
        Trial(
            path: "/post", method: "POST", body: pieces, isCancelled: true, isStream: true,
            statuses: [200], errors: [.cancelled]),
    ]

    private static let pieces = RequestBody.stream(
        RequestBodyStream {
            AsyncStream<Data> { continuation in
                for _ in 0..<20 { continuation.yield(Data(repeating: 7, count: 10_000)) }
                continuation.finish()
            }
        })

    private static let answer: MockServer.Handler = { request in
        let whole = MockResponse(body: .pattern(byteCount: 100_000))
        switch request.path {
        case "/close": return .silence(then: .close)
        case "/reset": return .silence(then: .reset)
        case "/truncated": return whole.truncated(after: 50_000)
        case "/truncated-reset": return whole.truncated(after: 50_000, then: .reset)
        case "/bad-chunk":
            return .raw(
                Data("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\nx\r\n".utf8))
        case "/no-http": return .raw(Data("SSH-2.0-OpenSSH_9\r\n\r\n".utf8))
        default: return MockServer.httpbin(request)
        }
    }

    private static var requestCount: Int {
        ProcessInfo.processInfo.environment["MOYA_SURVIVAL_REQUESTS"].flatMap(Int.init) ?? 1_500
    }

    @Test func `256 requests of every kind at once all end as they may, and leave nothing`()
        async throws
    {
        var left = Self.requestCount
        // The server keeps a record of its requests, so it is a new one from time to time.
        while left > 0 {
            try await round(of: min(left, 5_000))
            left -= 5_000
        }
    }

    private func round(of count: Int) async throws {
        let server = try MockServer(handler: Self.answer)
        defer { server.stop() }
        var configuration = FoundationTransport.Configuration()
        configuration.maxConnectionsPerHost = 256
        let transport = try FoundationTransport(configuration: configuration)
        let next = Locked(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<256 {
                group.addTask {
                    while true {
                        let id = next.withLock { next in
                            defer { next += 1 }
                            return next
                        }
                        guard id < count else { return }
                        await run(id, over: transport, to: server)
                    }
                }
            }
        }
        transport.shutdown()
        try await server.waitUntilDisconnected()
    }

    private func run(_ id: Int, over transport: FoundationTransport, to server: MockServer) async {
        let trial = Self.trials[id % Self.trials.count]
        guard let url = URL(string: server.url.absoluteString + trial.path) else { return }
        var urlRequest = URLRequest(url: url)
        urlRequest.httpMethod = trial.method
        urlRequest.timeoutInterval = trial.timeout
        let request = TransportRequest(
            urlRequest, body: trial.body, destination: trial.isStream ? .stream : .memory())
        // Now and then a transport comes and goes with its request.
        let isAlone = id % 97 == 0
        let carrier = isAlone ? FoundationTransport() : transport
        let task = Task {
            let response = try await carrier.send(request)
            if case .stream(let stream) = response.body { for try await _ in stream {} }
            return response
        }
        if trial.isCancelled {
            for _ in 0..<(id % 50) { await Task.yield() }
            if isAlone { carrier.shutdown() } else { task.cancel() }
        }
        do {
            let status = try await task.value.head.statusCode
            #expect(trial.statuses.contains(status), "\(trial.path): \(status)")
        } catch {
            let code = (error as? URLError)?.code ?? .unknown
            #expect(trial.errors.contains(code), "\(trial.method) \(trial.path): \(error)")
        }
    }
}
