import CMoyaCurl
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

/// Connection reuse, connection limits, and the order of waiting requests.
@Suite(.timeLimit(.minutes(3))) struct PoolTests {
    /// Sends `count` requests concurrently. The server receives all of them before it responds to
    /// one.
    private static func sendTogether(
        _ count: Int, _ transport: CurlTransport, _ server: MockServer, _ gate: DispatchSemaphore
    ) async throws {
        let before = server.requests.count
        let request = TransportRequest(.patient(server.url))
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<count {
                group.addTask { try await transport.send(request).head.statusCode }
            }
            _ = try await server.waitForRequests(before + count)
            for _ in 0..<count { gate.signal() }
            for try await status in group { #expect(status == 200) }
        }
    }

    /// Returns a server that responds to one request for each signal of `gate`.
    private static func server(behind gate: DispatchSemaphore) throws -> MockServer {
        try MockServer { _ in
            gate.wait()
            return .text("x")
        }
    }

    private static func transport(
        _ change: (inout CurlTransport.Configuration) -> Void
    ) throws -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.threads = 1
        change(&configuration)
        return try CurlTransport(configuration: configuration)
    }

    @Test(arguments: [1, 3])
    func `idle connections are kept up to the configured limit`(limit: Int) async throws {
        let gate = DispatchSemaphore(value: 0)
        let server = try Self.server(behind: gate)
        defer { server.stop() }
        let transport = try Self.transport { $0.maxIdleConnections = limit }
        try await Self.sendTogether(12, transport, server, gate)
        try await until { server.openConnectionCount <= limit }
        try await Self.sendTogether(limit, transport, server, gate)
        #expect(server.connectionCount == 12)
        #expect(server.openConnectionCount == limit)
    }

    @Test func `idle connections are limited although their requests end at the same time`()
        async throws
    {
        let gate = DispatchSemaphore(value: 0)
        let server = try Self.server(behind: gate)
        defer { server.stop() }
        let transport = try Self.transport { $0.maxIdleConnections = 3 }
        let request = TransportRequest(.patient(server.url))
        let senders = (0..<12).map { _ in
            Task { try await transport.send(request).head.statusCode }
        }
        _ = try await server.waitForRequests(12)
        let loop = try transport.firstLoop()
        // Both directions: libcurl 7.88 reads at once from a transfer that is paused only in one.
        let both: Pause = [.receiving, .sending]
        try await loop.perform { driver in
            for attempt in driver.handles.attempts {
                attempt.pausesReceiving = true
                attempt.upload.starve()
                curl_easy_pause(attempt.easy.raw, both.rawValue)
            }
        }
        for _ in senders { gate.signal() }
        // The transfers read their responses after this, in one call of libcurl.
        let count = try await loop.perform { driver in
            let attempts = driver.handles.attempts
            let count = attempts.count { attempt in
                var responded = pollfd(
                    fd: attempt.handle.openedSockets.last ?? -1, events: Int16(POLLIN), revents: 0)
                return poll(&responded, 1, 10_000) == 1
            }
            for attempt in attempts { driver.resume(attempt, both) }
            return count
        }
        #expect(count == 12)
        for sender in senders { #expect(try await sender.value == 200) }
        try await until { server.openConnectionCount <= 3 }
        try await Self.sendTogether(3, transport, server, gate)
        #expect(server.connectionCount == 12)
    }

    @Test func `no idle connection is kept with a limit of 0`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let transport = try Self.transport { $0.maxIdleConnections = 0 }
        let request = TransportRequest(.patient(server.url))
        for _ in 0..<3 { _ = try await transport.send(request) }
        try await server.waitUntilDisconnected()
        #expect(server.connectionCount == 3)
    }

    /// In a child process, without other tests' descriptors.
    @Test func `more concurrent requests than the idle limit reuse the idle connections`()
        async throws
    {
        await #expect(processExitsWith: .success) {
            let gate = DispatchSemaphore(value: 0)
            let server = try Self.server(behind: gate)
            let transport = try Self.transport {
                $0.maxIdleConnections = 100
                $0.maxConnectionsPerHost = 0
            }
            // After each round, 100 of 150 connections stay open.
            for _ in 0..<3 { try await Self.sendTogether(150, transport, server, gate) }
            #expect(server.connectionCount <= 150 + 50 + 50)
            let before = server.connectionCount
            for _ in 0..<20 { try await Self.sendTogether(100, transport, server, gate) }
            #expect(server.connectionCount == before)
        }
    }

    /// More requests than handles that are kept idle. In a child process, with its own descriptor
    /// limit.
    @Test(.requires(.descriptors(4096)))
    func `600 concurrent requests reuse the connections of 600 earlier requests`() async throws {
        await #expect(processExitsWith: .success) {
            try ResourceLimit.descriptors.set(4096)
            let gate = DispatchSemaphore(value: 0)
            let server = try Self.server(behind: gate)
            let transport = try Self.transport {
                $0.maxIdleConnections = 600
                $0.maxConnectionsPerHost = 0
            }
            for _ in 0..<3 {
                try await Self.sendTogether(600, transport, server, gate)
                #expect(server.connectionCount == 600)
                let loop = try transport.firstLoop()
                let handles = try await loop.perform {
                    $0.handles.active.count + $0.handles.idle.count
                }
                #expect(handles == 256)
            }
        }
    }

    @Test func `a connection that became too old while the loop was busy is not reused`()
        async throws
    {
        let server = try MockServer()
        defer { server.stop() }
        let transport = try Self.transport { $0.idleTimeout = 1 }
        let request = TransportRequest(.patient(server.url))
        // On a busy machine, more than a second may pass between two requests.
        try await until { try await transport.send(request).metrics.isReusedConnection == true }
        let isBusy = DispatchSemaphore(value: 0)
        let loop = try transport.firstLoop()
        async let blocking: Void = loop.perform { _ in
            isBusy.signal()
            // libcurl compares whole seconds of its own clock.
            usleep(2_100_000)
        }
        await DiskWork.perform { isBusy.wait() }
        #expect(try await transport.send(request).metrics.isReusedConnection == false)
        try await blocking
    }

    @Test func `a connection idle beyond the idle timeout is closed without another request`()
        async throws
    {
        let server = try MockServer { request in
            request.path == "/stall" ? .silence(then: .stall) : .text("x")
        }
        defer { server.stop() }
        let transport = try Self.transport { $0.idleTimeout = 1 }
        let stall = TransportRequest.patient(server, "/stall")
        let inUse = Task { try await transport.send(stall) }
        _ = try await server.waitForRequests(1)
        let request = TransportRequest(.patient(server.url))
        for _ in 0..<2 {
            let start = LoopClock.now()
            _ = try await transport.send(request)
            try await until { server.openConnectionCount <= 1 }
            // libcurl reads its own clock, so only real time shows that the connection was kept.
            #expect(LoopClock.now() - start >= 1_000_000_000)
        }
        #expect(server.connectionCount == 3)
        inUse.cancel()
        _ = await inUse.result
    }

    @Test(arguments: [false, true])
    func `closing idle connections keeps connections in use open`(hasOthers: Bool) async throws {
        let gate = DispatchSemaphore(value: 0)
        let server = try Self.server(behind: gate)
        defer { server.stop() }
        let transport = try Self.transport { _ in }
        try await Self.sendTogether(12, transport, server, gate)
        #expect(server.openConnectionCount == 12)
        let request = TransportRequest(.patient(server.url))
        let others = (0..<(hasOthers ? 3 : 0)).map { _ in
            Task { try await transport.send(request).head.statusCode }
        }
        _ = try await server.waitForRequests(12 + others.count)
        await transport.closeIdleConnections()
        try await until { server.openConnectionCount <= others.count }
        for _ in others { gate.signal() }
        for other in others { #expect(try await other.value == 200) }
        // Later requests find the limits unchanged, and reuse the connections that stayed open.
        try await Self.sendTogether(5, transport, server, gate)
        #expect(server.connectionCount == 12 + 5 - others.count)
        transport.shutdown()
        await transport.closeIdleConnections()
    }

    /// libcurl counts the dummy request that closes idle connections as running, so the number of
    /// running requests does not fall when another one ends at the same time.
    @Test func `a request that ends while idle connections are closed is noticed at once`()
        async throws
    {
        let server = try MockServer()
        defer { server.stop() }
        let listener = try DeafListener()
        defer { listener.stop() }
        let transport = try Self.transport { $0.connectTimeout = 2 }
        let loop = try transport.firstLoop()
        // Its connection leaves none to the dummy request, which therefore waits.
        let inUse = Task { try await transport.send(.patient(server, "/stall")) }
        _ = try await server.waitForRequests(1)
        let url = try #require(URL(string: "http://127.0.0.1:\(listener.port)/"))
        let connecting = Task { try await transport.send(TransportRequest(.patient(url))) }
        try await until { try await loop.perform { $0.handles.active.count } == 2 }
        let active = try await loop.perform { driver -> Int in
            // The connect timeout passes while the loop's thread does not call libcurl, which
            // measures it by its own clock.
            let start = LoopClock.now()
            while LoopClock.now() - start < 2_100_000_000 { usleep(10_000) }
            driver.closeIdleConnections()
            return driver.handles.active.count
        }
        #expect(active == 1)
        let error = await #expect(throws: URLError.self) { try await connecting.value }
        #expect(error?.code == .timedOut)
        inUse.cancel()
        _ = await inUse.result
    }

    @Test func `the total number of connections is limited`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let (count, limit) = (60, 4)
        let servers = try (0..<3).map { _ in
            try MockServer { _ in
                gate.wait()
                return .text("x")
            }
        }
        defer { for server in servers { server.stop() } }
        func sum(_ number: KeyPath<MockServer, Int>) -> Int {
            servers.reduce(0) { $0 + $1[keyPath: number] }
        }
        let transport = try Self.transport { $0.maxConnections = limit }
        let loop = try transport.firstLoop()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<count {
                let request = TransportRequest(.patient(servers[number % 3].url))
                group.addTask { try await transport.send(request).head.statusCode }
            }
            for done in 0...count {
                let waiting = max(0, count - done - limit)
                try await until { sum(\.requests.count) >= min(count, done + limit) }
                try await until { try await loop.perform { $0.queue.waitingCount } == waiting }
                // No request has been answered, so each has its own connection. Idle ones are
                // closed asynchronously.
                try await until { sum(\.openConnectionCount) <= limit }
                #expect(sum(\.requests.count) == min(count, done + limit))
                gate.signal()
            }
            for try await status in group { #expect(status == 200) }
        }
    }

    @Test func `hosts take turns when a connection becomes free`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let order = Log()
        let servers = try ["a", "b"].map { name in
            try MockServer { request in
                if request.path == "/first" { gate.wait() }
                // Longer than a host's turn.
                usleep(150_000)
                order.add(name + request.path)
                return .text("x")
            }
        }
        defer { for server in servers { server.stop() } }
        let transport = try Self.transport { $0.maxConnections = 1 }
        func send(_ server: Int, _ path: String) -> Task<Int, any Error> {
            let url = servers[server].url.appendingPathComponent(path)
            return Task {
                try await transport.send(TransportRequest(.patient(url))).head.statusCode
            }
        }
        let first = send(0, "first")
        _ = try await servers[0].waitForRequests(1)
        let waiting = [send(0, "1"), send(0, "2"), send(0, "3"), send(1, "1")]
        let loop = try transport.firstLoop()
        try await until { try await loop.perform { $0.queue.waitingCount } >= 4 }
        gate.signal()
        for task in [first] + waiting { #expect(try await task.value == 200) }
        let entries = order.entries
        #expect(entries.first == "a/first")
        #expect(entries[1...2].contains("b/1"))
    }
}

/// Lines in the order in which they were added.
final class Log: Sendable {
    private let lines = Locked<[String]>([])

    var entries: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
}

/// Connection limits over TLS, where the server decides whether connections are shared.
@Suite(
    .timeLimit(.minutes(3)),
    .requires(.nginx, .openssl))
struct SecurePoolTests {
    private func transport(
        _ nginx: Nginx, _ change: (inout CurlTransport.Configuration) -> Void
    ) throws -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.tls.trust = .file(nginx.authority)
        change(&configuration)
        return try CurlTransport(configuration: configuration)
    }

    @Test func `waiting too long for a free TLS connection is an error`() async throws {
        let behind = try MockServer { _ in .silence(then: .stall) }
        defer { behind.stop() }
        let nginx = try await Nginx(before: behind.port, speaksHTTP2: false)
        let transport = try transport(nginx) {
            $0.maxConnectionsPerHost = 1
            $0.connectionWaitTimeout = 0.05
        }
        let stall = TransportRequest(.patient(nginx.url.appendingPathComponent("behind/stall")))
        let first = Task { try await transport.send(stall) }
        _ = try await behind.waitForRequests(1)
        let error = await #expect(throws: URLError.self) { try await transport.send(stall) }
        #expect(error?.localizedDescription.hasPrefix("No connection became free in time.") == true)
        first.cancel()
        _ = await first.result
    }

    @Test func `requests queued for a TLS connection have not started`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let behind = try MockServer { _ in
            gate.wait()
            return .text("x")
        }
        defer { behind.stop() }
        let nginx = try await Nginx(before: behind.port, speaksHTTP2: false)
        let transport = try transport(nginx) { $0.maxConnectionsPerHost = 1 }
        let request = TransportRequest(.patient(nginx.url.appendingPathComponent("behind")))
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask { try await transport.send(request).head.statusCode }
            }
            let loop = try transport.firstLoop()
            for waiting in [3, 2, 1, 0] {
                _ = try await behind.waitForRequests(4 - waiting)
                try await until { try await loop.perform { $0.queue.waitingCount } == waiting }
                // Only the running request's timeouts apply.
                let begun = try await loop.perform { $0.handles.active.count }
                #expect(begun == 1)
                gate.signal()
            }
            for try await status in group { #expect(status == 200) }
        }
    }

    @Test func `the connection limit of a host does not limit requests over one HTTP/2 connection`()
        async throws
    {
        let gate = DispatchSemaphore(value: 0)
        let behind = try MockServer { _ in
            gate.wait()
            return .text("x")
        }
        defer { behind.stop() }
        let nginx = try await Nginx(before: behind.port, speaksHTTP2: true)
        let transport = try transport(nginx) { $0.maxConnectionsPerHost = 1 }
        _ = try await transport.send(TransportRequest(.patient(nginx.url)))
        let request = TransportRequest(.patient(nginx.url.appendingPathComponent("behind")))
        try await withThrowingTaskGroup(of: TransportMetrics.self) { group in
            for _ in 0..<5 { group.addTask { try await transport.send(request).metrics } }
            _ = try await behind.waitForRequests(5)
            for _ in 0..<5 { gate.signal() }
            for try await metrics in group {
                #expect(metrics.isReusedConnection == true)
                #expect(metrics.protocolName == "h2")
            }
        }
    }

    @Test func `requests on a shared HTTP/2 connection leave a connection to another host`()
        async throws
    {
        // libcurl puts up to 100 requests on a connection, and opens another for more if the limit
        // allows.
        let count = 90
        let gate = DispatchSemaphore(value: 0)
        let behind = try MockServer { _ in
            gate.wait()
            return .text("x")
        }
        let other = try MockServer { _ in .text("other") }
        defer { for server in [behind, other] { server.stop() } }
        let nginx = try await Nginx(before: behind.port, speaksHTTP2: true)
        let transport = try transport(nginx) {
            $0.maxConnections = 2
            $0.maxConnectionsPerHost = 0
        }
        _ = try await transport.send(TransportRequest(.patient(nginx.url)))
        let request = TransportRequest(.patient(nginx.url.appendingPathComponent("behind")))
        try await withThrowingTaskGroup(of: TransportMetrics.self) { group in
            for _ in 0..<count { group.addTask { try await transport.send(request).metrics } }
            _ = try await behind.waitForRequests(count)
            let answer = try await transport.send(TransportRequest(.patient(other.url)))
            #expect(answer.head.statusCode == 200)
            for _ in 0..<count { gate.signal() }
            for try await metrics in group { #expect(metrics.protocolName == "h2") }
        }
    }

    @Test func `HTTP/2 streams that share a connection count as one against the limit`()
        async throws
    {
        let text = "HTTP/1.1 200 OK\r\nX-Accel-Buffering: no\r\nContent-Length: 9\r\n\r\nx"
        let behind = try MockServer { _ in .raw(Data(text.utf8), then: .stall) }
        let other = try MockServer { _ in .text("other") }
        defer { for server in [behind, other] { server.stop() } }
        let nginx = try await Nginx(before: behind.port, speaksHTTP2: true)
        let transport = try transport(nginx) { $0.maxConnections = 2 }
        let request = TransportRequest(
            .patient(nginx.url.appendingPathComponent("behind")), destination: .stream)
        // The transport does not know yet whether the host multiplexes connections.
        async let first = transport.send(request)
        async let second = transport.send(request)
        let streams = try await [first, second]
        #expect(streams.count { $0.metrics.isReusedConnection == true } == 1)
        let answer = try await transport.send(TransportRequest(.patient(other.url)))
        #expect(answer.head.statusCode == 200)
        for stream in streams { stream.discard() }
    }
}
