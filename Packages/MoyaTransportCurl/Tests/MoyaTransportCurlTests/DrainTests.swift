import Foundation
import MoyaCore
import MoyaInternals
import MoyaMockServer
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Shutdowns that wait for requests in progress.
@Suite(.timeLimit(.minutes(3))) struct DrainTests {
    /// A server that responds when the gate opens.
    private func server(_ gate: DispatchSemaphore) throws -> MockServer {
        try MockServer { request in
            gate.wait()
            guard request.path == "/redirect" else { return .text("x") }
            return MockResponse(status: 302).adding("Location", "/end")
        }
    }

    private func send(
        _ count: Int, _ path: String, _ server: MockServer, _ transport: CurlTransport
    ) -> [Task<Int, any Error>] {
        let request = TransportRequest(
            .patient(server.url.appendingPathComponent(path)), redirectPolicy: .follow())
        return (0..<count).map { _ in
            Task { try await transport.send(request).head.statusCode }
        }
    }

    /// Starts a draining shutdown, and returns when that waits for requests in progress.
    private func drain(
        _ transport: CurlTransport, _ limit: TimeInterval
    ) async throws -> Task<Void, Never> {
        let isOver = Locked(false)
        let task = Task {
            await transport.shutdown(draining: limit)
            isOver.withLock { $0 = true }
        }
        try await until {
            if isOver.withLock({ $0 }) { throw IssueError("It does not wait.") }
            return transport.exchanges.isAwaited
        }
        return task
    }

    @Test func `a draining shutdown completes pending requests and refuses new requests`()
        async throws
    {
        let gate = DispatchSemaphore(value: 0)
        let server = try server(gate)
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.maxConnections = 2
        let transport = try CurlTransport(configuration: configuration)
        let tasks = send(6, "redirect", server, transport)
        _ = try await server.waitForRequests(2)
        let loop = try transport.firstLoop()
        try await until { try await loop.perform { $0.queue.waitingCount } >= 4 }
        let end = try await drain(transport, 1000)
        for late in send(3, "late", server, transport) {
            let error = await #expect(throws: URLError.self) { try await late.value }
            #expect(error?.code == .cancelled)
        }
        for _ in 0..<12 { gate.signal() }
        for task in tasks { #expect(try await task.value == 200) }
        await end.value
        try await server.waitUntilDisconnected()
        #expect(server.requests.count == 12)
        await transport.shutdown(draining: 1000)
    }

    @Test func `a draining shutdown waits for a stream that is being read`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let server = try RawServer { connection in
            _ = connection.read(until: "\r\n\r\n")
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello")
            gate.wait()
            connection.write("world")
        }
        defer { server.stop() }
        let transport = CurlTransport()
        let response = try await transport.send(
            TransportRequest(.patient(server.url), destination: .stream))
        guard case .stream(let stream) = response.body else { throw NoDataError() }
        let end = try await drain(transport, 1000)
        gate.signal()
        let body = try await stream.reduce(into: Data()) { $0 += $1 }
        #expect(body == Data("helloworld".utf8))
        await end.value
    }

    /// Expects that `shutDown` cancels a request that waits for its response.
    private func expectCancel(_ shutDown: (CurlTransport) async throws -> Void) async throws {
        let gate = DispatchSemaphore(value: 0)
        let server = try server(gate)
        defer { server.stop() }
        defer { gate.signal() }
        let transport = CurlTransport()
        let tasks = send(1, "stall", server, transport)
        _ = try await server.waitForRequests(1)
        try await shutDown(transport)
        let error = await #expect(throws: URLError.self) { try await tasks[0].value }
        #expect(error?.code == .cancelled)
    }

    @Test(arguments: [0.01, 0, -1, TimeInterval.nan])
    func `a draining shutdown cancels the requests left after its time limit`(limit: TimeInterval)
        async throws
    {
        try await expectCancel { await $0.shutdown(draining: limit) }
    }

    @Test func `cancelling a draining shutdown cancels the remaining requests`() async throws {
        try await expectCancel { transport in
            let end = try await drain(transport, .infinity)
            end.cancel()
            await end.value
        }
    }

    @Test func `a draining shutdown of an idle transport ends at once`() async throws {
        await CurlTransport().shutdown(draining: .infinity)
        let server = try MockServer()
        defer { server.stop() }
        let transport = CurlTransport()
        _ = try await transport.send(TransportRequest(URLRequest(url: server.url)))
        await transport.shutdown(draining: .infinity)
        try await server.waitUntilDisconnected()
    }
}
