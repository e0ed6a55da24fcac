import Foundation
import MoyaCore
import MoyaInternals
import MoyaMockServer
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A transport's threads, and tasks that run on them.
@Suite(.timeLimit(.minutes(3))) struct ThreadTests {
    @Test func `a transport has the configured number of threads`() async throws {
        var configuration = CurlTransport.Configuration()
        configuration.threads = 3
        let transport = try CurlTransport(configuration: configuration)
        var threads: Set<UInt> = []
        for loop in try transport.allLoops() {
            threads.insert(try await loop.perform { _ in Self.currentThread() })
        }
        #expect(threads.count == 3)
    }

    @Test func `transfers are spread over several threads under load`() async throws {
        // The first two threads take up to 64 transfers each, so that the third gets some.
        let count = 160
        let gate = DispatchSemaphore(value: 0)
        let server = try MockServer { _ in
            gate.wait()
            return .text("x")
        }
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.threads = 3
        // Without a limit, because tasks that pick a thread concurrently may exceed the default on
        // one of them.
        configuration.maxConnectionsPerHost = 0
        let transport = try CurlTransport(configuration: configuration)
        let request = TransportRequest.patient(server)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<count {
                group.addTask { try await transport.send(request).head.statusCode }
            }
            _ = try await server.waitForRequests(count)
            for loop in try transport.allLoops() {
                #expect(try await loop.perform { $0.handles.active.count } > 0)
            }
            for _ in 0..<count { gate.signal() }
            for try await status in group { #expect(status == 200) }
        }
        transport.shutdown()
        try await server.waitUntilDisconnected()
    }

    #if os(Linux)
        @Test func `the transport's thread has a name visible to tools`() async throws {
            let transport = CurlTransport()
            let name = try await transport.firstLoop().perform { _ in
                try String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
            }
            #expect(name == "moya.curl\n")
        }
    #endif

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `a task with the transport's executor runs on the transport's thread`() async throws
    {
        let server = try MockServer()
        defer { server.stop() }
        let transport = CurlTransport()
        let request = TransportRequest.patient(server)
        let threads = try await withTaskExecutorPreference(transport.taskExecutor) {
            var threads: Set<UInt> = []
            for _ in 0..<20 {
                _ = try await transport.send(request)
                threads.insert(Self.currentThread())
            }
            return threads
        }
        #expect(threads.count == 1)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `a cancelled task on the transport's executor sends nothing`()
        async throws
    {
        let server = try MockServer()
        defer { server.stop() }
        let transport = CurlTransport()
        let request = TransportRequest.patient(server)
        await withTaskExecutorPreference(transport.taskExecutor) {
            _ = try? await transport.send(request)
            let task = Task(executorPreference: transport.taskExecutor) {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await transport.send(.patient(server, "/late"))
            }
            let error = await #expect(throws: URLError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            // This request uses the connection that the cancelled one would have used.
            _ = try? await transport.send(request)
        }
        #expect(server.requests.map(\.path) == ["/get", "/get"])
        #expect(server.connectionCount == 1)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test(arguments: CallersCode.allCases)
    func `a provider's task runs on the transport's thread unless a caller's code runs in it`(
        code: CallersCode
    ) async throws {
        let server = try MockServer()
        defer { server.stop() }
        let recording = RecordingTransport()
        let loop = try await recording.base.firstLoop().perform { _ in Self.currentThread() }
        var page = Page(baseURL: server.url)
        if code == .redirect { page.task.redirectPolicy = .modify { _, next in next } }
        let provider = MoyaProvider<Page>(
            callbackQueue: DispatchQueue(label: "completions"), transport: recording,
            plugins: code == .plugin ? [Plugin()] : [])
        for _ in 0..<20 {
            let status: Int = try await withCheckedThrowingContinuation { continuation in
                provider.request(page) { result in
                    continuation.resume(with: result.map(\.statusCode).mapError { $0 as any Error })
                }
            }
            #expect(status == 200)
        }
        let threads = recording.threads.withLock { $0 }
        if code == .none { #expect(threads == [loop]) } else { #expect(!threads.contains(loop)) }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `a delayed stub's sample is not made on the transport's thread`() async throws {
        let transport = CurlTransport()
        let loop = try await transport.firstLoop().perform { _ in Self.currentThread() }
        let threads = Locked(Set<UInt>())
        let provider = MoyaProvider<Page>(
            endpointClosure: { page in
                Endpoint(
                    url: page.baseURL.absoluteString,
                    sampleResponseClosure: {
                        threads.withLock { _ = $0.insert(Self.currentThread()) }
                        return .networkResponse(200, Data())
                    },
                    method: page.method, task: page.task, httpHeaderFields: nil)
            },
            stubClosure: MoyaProvider.delayedStub(0.01), transport: transport)
        let page = Page(baseURL: try #require(URL(string: "http://127.0.0.1")))
        _ = try await provider.request(page)
        await withCheckedContinuation { continuation in
            let queue = DispatchQueue(label: "completions")
            provider.request(page, callbackQueue: queue) { _ in continuation.resume() }
        }
        #expect(!threads.withLock { $0 }.contains(loop))
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `a request's times start when the request is sent`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.threads = 1
        let transport = try CurlTransport(configuration: configuration)
        let request = TransportRequest.patient(server, "/stall")
        let sent = Locked(UInt64.max)
        let task = Task {
            try await withTaskExecutorPreference(transport.taskExecutor) {
                // Later than the loop's last reading of the clock, because the loop runs this task.
                sent.withLock { $0 = LoopClock.now() }
                return try await transport.send(request)
            }
        }
        _ = try await server.waitForRequests(1)
        let started = try await transport.firstLoop().perform {
            $0.handles.active.first?.attempt?.times.started
        }
        #expect(try #require(started) >= sent.withLock { $0 })
        task.cancel()
        _ = await task.result
    }

    /// Code of the caller that runs in the task of a request.
    enum CallersCode: CaseIterable {
        case none, plugin, redirect
    }

    private struct Page: TargetType {
        let baseURL: URL
        let path = "/get"
        let method = MoyaCore.Method.get
        var task = RequestTask.requestPlain
        let headers: [String: String]? = nil
    }

    private struct Plugin: PluginType {}

    /// Keeps the threads on which requests are sent.
    private struct RecordingTransport: Transport {
        let base = CurlTransport()
        let threads = Locked(Set<UInt>())

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            threads.withLock { _ = $0.insert(ThreadTests.currentThread()) }
            return try await base.send(request)
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
        var taskExecutor: (any TaskExecutor)? { base.taskExecutor }
    }

    fileprivate static func currentThread() -> UInt {
        #if canImport(Darwin)
            UInt(bitPattern: pthread_self())
        #else
            UInt(pthread_self())
        #endif
    }
}
