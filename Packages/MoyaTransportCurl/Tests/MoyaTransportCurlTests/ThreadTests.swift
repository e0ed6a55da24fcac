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

    fileprivate static func currentThread() -> UInt {
        #if canImport(Darwin)
            UInt(bitPattern: pthread_self())
        #else
            UInt(pthread_self())
        #endif
    }
}
