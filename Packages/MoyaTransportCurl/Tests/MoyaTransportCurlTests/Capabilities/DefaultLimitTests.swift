import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The default limit on connections to a host.
@Suite(.timeLimit(.minutes(3))) struct DefaultLimitTests {
    private let limit = CurlTransport.Configuration.defaultMaxConnectionsPerHost

    @Test func `a thread opens no more connections to one host than the default`() async throws {
        let server = try MockServer()
        let other = try MockServer()
        defer {
            server.stop()
            other.stop()
        }
        var configuration = CurlTransport.Configuration()
        configuration.threads = 1
        let transport = try CurlTransport(configuration: configuration)
        let loop = try transport.firstLoop()
        let stall = TransportRequest.patient(server, "/stall")
        let tasks = (0..<limit + 3).map { _ in Task { try await transport.send(stall) } }
        _ = try await server.waitForRequests(limit)
        try await until { try await loop.perform { $0.queue.waitingCount } == 3 }
        #expect(server.connectionCount == limit)
        // Requests to another host do not wait.
        #expect(try await transport.send(.patient(other)).head.statusCode == 200)
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.result }
    }

    @Test func `a connection limit that is set applies to all threads and reduces them to one`() {
        var configuration = CurlTransport.Configuration()
        configuration.threads = 4
        #expect(configuration.maxConnectionsPerHost == limit)
        #expect(configuration.loopCount == 4)
        configuration.maxConnectionsPerHost = limit
        #expect(configuration.loopCount == 1)
        configuration.maxConnectionsPerHost = 0
        #expect(configuration.loopCount == 4)
    }

    /// In a child process, so that 100,000 tasks do not delay those of other tests.
    @Test func `100,000 queued requests are cancelled one by one`() async throws {
        await #expect(processExitsWith: .success) {
            let server = try MockServer()
            var configuration = CurlTransport.Configuration()
            configuration.maxConnectionsPerHost = 1
            let transport = try CurlTransport(configuration: configuration)
            let loop = try transport.firstLoop()
            let stall = TransportRequest.patient(server, "/stall")
            let first = Task { try await transport.send(stall) }
            _ = try await server.waitForRequests(1)
            let waiting = Task {
                await withTaskGroup(of: Bool.self) { group in
                    for _ in 0..<100_000 {
                        group.addTask {
                            let result = await Result.catching { try await transport.send(stall) }
                            return (try? result.get()) == nil
                        }
                    }
                    return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
                }
            }
            try await until { try await loop.perform { $0.queue.waitingCount } == 100_000 }
            waiting.cancel()
            #expect(await waiting.value == 100_000)
            #expect(try await loop.perform { $0.queue.waitingCount } == 0)
            #expect(server.requests.count == 1)
            first.cancel()
            _ = await first.result
        }
    }

    /// libcurl has the request but opens no connection for it: the only allowed connection belongs
    /// to another host.
    @Test(.requires(.nginx, .openssl))
    func `a request that waits for a connection inside libcurl is not idle`() async throws {
        let behind = try MockServer { _ in .silence(then: .stall) }
        defer { behind.stop() }
        let hosts = try await TwoHosts(before: behind.port)
        var configuration = hosts.configuration
        configuration.maxConnections = 1
        let transport = try CurlTransport(configuration: configuration)
        let loop = try transport.firstLoop()
        try await hosts.greet(over: transport)
        let stall = TransportRequest(.patient(hosts.own.appendingPathComponent("behind/stall")))
        let first = Task { try await transport.send(stall) }
        _ = try await behind.waitForRequests(1)
        let second = Task { try await transport.send(TransportRequest(.patient(hosts.other))) }
        try await until { try await loop.perform { $0.handles.active.count } == 2 }
        // Simulates ten minutes, of which requests may be idle for two.
        try await loop.perform { $0.checkTimes(asAt: LoopClock.now() + 600_000_000_000) }
        let error = await #expect(throws: URLError.self) { try await first.value }
        #expect(error?.code == .timedOut)
        #expect(try await second.value.head.statusCode == 200)
    }
}
