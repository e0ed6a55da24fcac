import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a transport reports to the observer of a request.
@Suite(.timeLimit(.minutes(3))) struct ConnectionEventTests {
    private let events = Recorder<ExchangeEvent>()

    private func transport(
        _ change: (inout CurlTransport.Configuration) -> Void = { _ in }
    ) throws -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.threads = 1
        change(&configuration)
        return try CurlTransport(configuration: configuration)
    }

    private func request(_ url: URL) -> TransportRequest {
        var request = TransportRequest(.patient(url))
        request.observer = events.record
        return request
    }

    /// The metrics of the failed exchanges.
    private var failures: [TransportMetrics] {
        events.items.compactMap { event -> TransportMetrics? in
            guard case .exchanged(_, .failure, let metrics) = event else { return nil }
            return metrics
        }
    }

    private var connections: [String] {
        events.items.compactMap { event -> String? in
            guard case .connection(let origin, let state, let previous) = event else { return nil }
            let name = if case .closed = state { "closed" } else { "\(state)" }
            return "\(origin) \(name) \(previous.map { "\($0)" } ?? "new")"
        }
    }

    private func expected(_ url: URL, _ changes: String...) -> [String] {
        changes.map { "http://127.0.0.1:\(url.port ?? 0) \($0)" }
    }

    @Test func `an observer sees a connection open, idle, in use again and closed`() async throws {
        let server = try MockServer { _ in .text("x") }
        defer { server.stop() }
        let transport = try transport()
        for _ in 0..<2 { _ = try await transport.send(request(server.url)) }
        // The connection belongs to the observer of the request that opened it.
        _ = try await transport.send(TransportRequest(.patient(server.url)))
        #expect(server.connectionCount == 1)
        await transport.closeIdleConnections()
        #expect(
            connections
                == expected(
                    server.url, "active new", "idle active", "active idle", "idle active",
                    "active idle", "idle active", "closed idle"))
        guard case .connection(_, .closed(let lifetime), _) = events.items.last else {
            Issue.record("The last event is no closed connection.")
            return
        }
        #expect(lifetime > 0)
    }

    @Test func `a connection that the server closes after its response is closed once`()
        async throws
    {
        let server = try MockServer { _ in .text("x").ending(.close) }
        defer { server.stop() }
        let transport = try transport()
        _ = try await transport.send(request(server.url))
        await transport.shutdown(draining: 60)
        #expect(connections.first == expected(server.url, "active new").first)
        #expect(connections.filter { $0.contains("closed") }.count == 1)
    }

    @Test func `a connection of a request that nothing observes is not reported`() async throws {
        let server = try MockServer { _ in .text("x") }
        defer { server.stop() }
        let transport = try transport()
        _ = try await transport.send(TransportRequest(.patient(server.url)))
        _ = try await transport.send(request(server.url))
        await transport.closeIdleConnections()
        #expect(server.connectionCount == 1)
        #expect(connections == [])
    }

    @Test func `an observer sees requests wait for a connection`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let server = try MockServer { _ in
            gate.wait()
            return .text("x")
        }
        defer { server.stop() }
        let transport = try transport { $0.maxConnectionsPerHost = 1 }
        func waits() -> [String] {
            events.items.compactMap { event -> String? in
                switch event {
                case .queued(_, let count): return "queued \(count)"
                case .dequeued(_, let count, let wait):
                    return wait >= 0 ? "dequeued \(count)" : "early"
                default: return nil
                }
            }
        }
        let request = request(server.url)
        async let first = transport.send(request)
        _ = try await server.waitForRequests(1)
        async let second = transport.send(request)
        try await until { waits() == ["queued 1"] }
        let third = Task { try await transport.send(request) }
        try await until { waits() == ["queued 1", "queued 2"] }
        third.cancel()
        #expect(await urlErrorCode { try await third.value } == .cancelled)
        #expect(waits() == ["queued 1", "queued 2", "dequeued 1"])
        for _ in 0..<2 { gate.signal() }
        _ = try await (first, second)
        #expect(waits().last == "dequeued 0")
        #expect(server.connectionCount == 1)
    }

    /// The server accepts the connection, and sends nothing.
    @Test func `an exchange that times out in the TLS handshake has the time of its connection`()
        async throws
    {
        let server = try RawServer { $0.waitForClient() }
        defer { server.stop() }
        let port = try #require(server.url.port)
        var request = request(try #require(URL(string: "https://127.0.0.1:\(port)/")))
        request.urlRequest.timeoutInterval = 0.5
        let transport = try transport()
        #expect(await urlErrorCode { try await transport.send(request) } == .timedOut)
        let metrics = try #require(failures.first)
        #expect(failures.count == 1)
        #expect(metrics.connect != nil)
        #expect(metrics.secureConnect == nil)
        #expect(metrics.firstByte == nil)
        #expect(metrics.isReusedConnection == nil)
        #expect(metrics.total.map { $0 >= 0.5 } == true)
    }

    @Test func `a failed exchange on a kept connection has no time of a connection`() async throws {
        let gate = DispatchSemaphore(value: 0)
        defer { gate.signal() }
        let server = try MockServer { request in
            if request.path != "/" { gate.wait() }
            return .text("x")
        }
        defer { server.stop() }
        let transport = try transport()
        _ = try await transport.send(request(server.url))
        var second = request(server.url.appendingPathComponent("silent"))
        second.urlRequest.timeoutInterval = 0.5
        #expect(await urlErrorCode { try await transport.send(second) } == .timedOut)
        #expect(server.connectionCount == 1)
        let metrics = try #require(failures.first)
        #expect(metrics.isReusedConnection == true)
        #expect(metrics.connect == nil)
        #expect(metrics.firstByte == nil)
    }
}
