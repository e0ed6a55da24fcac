import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Timeouts of requests that wait for a connection inside libcurl.
@Suite(.timeLimit(.minutes(3))) struct ConnectionWaitTests {
    private static let second: UInt64 = 1_000_000_000

    /// One request opens a connection, and another one waits for it. Both may be idle for two
    /// minutes.
    @Test(.requires(.nginx, .openssl))
    func `the idle timeout of a request that waited begins when it has a connection`() async throws
    {
        let (accepted, answered) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let behind = try MockServer { _ in
            answered.wait()
            return .text("x")
        }
        defer { behind.stop() }
        let nginx = try await Nginx(before: behind.port)
        let port = try #require(nginx.url.port)
        let relay = try RawServer { connection in
            accepted.wait()
            guard let far = try? RawClient(port: port) else { return }
            Tunnel.pump(connection, far)
        }
        defer { relay.stop() }
        let front = try #require(relay.url.port)
        let url = try #require(URL(string: "https://127.0.0.1:\(front)/behind/"))
        var configuration = CurlTransport.Configuration()
        configuration.tls.trust = .file(nginx.authority)
        configuration.threads = 1
        let transport = try CurlTransport(configuration: configuration)
        let loop = try transport.firstLoop()
        let tasks = (0..<2).map { _ in
            Task { try await transport.send(TransportRequest(.patient(url))).head.statusCode }
        }
        try await until { try await loop.perform { $0.handles.active.count } == 2 }
        let submitted = try await loop.perform { driver in
            try #require(driver.handles.attempts.map(\.times.submitted).max())
        }
        accepted.signal()
        _ = try await behind.waitForRequests(2)
        let connected = try await loop.perform { driver in
            try #require(driver.handles.attempts.map(\.times.lastActivity).min())
        }
        #expect(connected > submitted)
        // Two minutes after the start, but not after the requests got their connection.
        try await simulate(connected + 120 * Self.second - 1, on: loop)
        for _ in tasks { answered.signal() }
        for task in tasks { #expect(try await task.value == 200) }
    }

    @Test func `requests that wait for the connection of an unreachable host fail with it`()
        async throws
    {
        let listener = try DeafListener()
        defer { listener.stop() }
        let url = try #require(URL(string: "https://127.0.0.1:\(listener.port)/"))
        var configuration = CurlTransport.Configuration()
        configuration.threads = 1
        configuration.connectTimeout = 600
        let transport = try CurlTransport(configuration: configuration)
        let loop = try transport.firstLoop()
        let tasks = (0..<3).map { _ in
            Task { try await transport.send(TransportRequest(.patient(url))) }
        }
        try await until { try await loop.perform { $0.handles.active.count } == 3 }
        try await simulate(LoopClock.now() + 121 * Self.second, on: loop)
        try await until { try await loop.perform { $0.handles.active.isEmpty } }
        for task in tasks {
            let error = await #expect(throws: URLError.self) { try await task.value }
            #expect(error?.code == .timedOut)
        }
    }

    @Test func `a redirect that is decided after exchangeTimeout sends no other request`()
        async throws
    {
        let server = try MockServer { request in
            request.path == "/" ? .redirect(to: "/next", status: 307) : .text("x")
        }
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.exchangeTimeout = 1
        let transport = try CurlTransport(configuration: configuration)
        var urlRequest = URLRequest.patient(server.url)
        urlRequest.httpMethod = "POST"
        let policy = RedirectPolicy.modify { _, proposed in
            // Longer than the timeout, which is measured in real time.
            usleep(1_200_000)
            return proposed
        }
        let request = TransportRequest(urlRequest, redirectPolicy: policy)
        let error = await #expect(throws: URLError.self) { try await transport.send(request) }
        #expect(error?.code == .timedOut)
        #expect(server.requests.map(\.path) == ["/"])
    }

    /// The second request waits for the connection of the first. At each of `times`, in seconds,
    /// that is after its idle timeout, that timeout begins again.
    @Test(
        .requires(.nginx, .openssl),
        arguments: [(120, [24]), (10, [11, 22])] as [(TimeInterval, [UInt64])])
    func `connectionWaitTimeout counts the whole wait inside libcurl`(
        idle: TimeInterval, times: [UInt64]
    ) async throws {
        let gate = DispatchSemaphore(value: 0)
        let behind = try Self.gatedServer(gate)
        defer {
            gate.signal()
            behind.stop()
        }
        let hosts = try await TwoHosts(before: behind.port)
        var configuration = hosts.configuration
        configuration.maxConnections = 1
        configuration.connectionWaitTimeout = 25
        let transport = try CurlTransport(configuration: configuration)
        let loop = try transport.firstLoop()
        try await hosts.greet(over: transport)
        let first = Task { try await Self.fetch(hosts.own, transport) }
        _ = try await behind.waitForRequests(1)
        let start = LoopClock.now()
        let second = Task { try await Self.fetch(hosts.other, transport, idleTimeout: idle) }
        try await until { try await loop.perform { $0.handles.active.count } == 2 }
        for seconds in times {
            try await simulate(start + seconds * Self.second, on: loop)
            try await until { try await loop.perform { $0.handles.active.count } == 2 }
        }
        try await simulate(LoopClock.now() + 25 * Self.second, on: loop)
        try await until { try await loop.perform { $0.handles.active.count } == 1 }
        let error = await #expect(throws: URLError.self) { try await second.value }
        #expect(error?.localizedDescription.hasPrefix("No connection became free in time") == true)
        gate.signal()
        #expect(try await first.value == 200)
    }

    /// Two requests wait, each for a stream on the only connection of its host. libcurl wakes the
    /// first when the second host has a free stream. With two streams, that host's connection is
    /// still in use then.
    @Test(.requires(.nginx, .openssl), arguments: [1, 2])
    func `a request that libcurl has not woken goes on before its idle timeout ends`(
        concurrentStreams: Int
    ) async throws {
        let (gate, otherGate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let behind = try Self.gatedServer(gate, otherGate)
        defer {
            for _ in 0..<4 {
                gate.signal()
                otherGate.signal()
            }
            behind.stop()
        }
        let hosts = try await TwoHosts(
            before: behind.port, concurrentStreams: concurrentStreams)
        let own = hosts.own
        let other = hosts.other.appendingPathComponent("other")
        let busy =
            (1..<concurrentStreams).flatMap { _ in [own, other.appendingPathComponent("busy")] }
            + [own, other]
        var configuration = hosts.configuration
        configuration.maxConnectionsPerHost = 1
        let transport = try CurlTransport(configuration: configuration)
        let loop = try transport.firstLoop()
        try await hosts.greet(over: transport)
        var tasks: [Task<Int, any Error>] = []
        for (host, idle) in busy.map({ ($0, 1_000.0) }) + [(own, 1_000), (other, 60)] {
            let count = tasks.count + 1
            tasks.append(Task { try await Self.fetch(host, transport, idleTimeout: idle) })
            if count <= busy.count { _ = try await behind.waitForRequests(count) }
            try await until { try await loop.perform { $0.handles.active.count } == count }
        }
        otherGate.signal()
        #expect(try await tasks[busy.count - 1].value == 200)
        otherGate.signal()
        try await until { try await loop.perform { !Self.otherWaits($0) } }
        #expect(try await tasks[busy.count + 1].value == 200)
        for _ in 0..<4 { gate.signal() }
        for (task, host) in zip(tasks, busy + [own]) where host == own {
            #expect(try await task.value == 200)
        }
    }

    /// Starts a server that responds when a gate opens: `otherGate` for paths that end with
    /// `other`, and `gate` for the rest.
    private static func gatedServer(
        _ gate: DispatchSemaphore, _ otherGate: DispatchSemaphore? = nil
    ) throws -> MockServer {
        try MockServer { request in
            (request.path.hasSuffix("other") ? otherGate ?? gate : gate).wait()
            return .text("x")
        }
    }

    /// Sends a request for the server behind nginx, and returns the status code.
    private static func fetch(
        _ host: URL, _ transport: CurlTransport, idleTimeout: TimeInterval = 1_000
    ) async throws -> Int {
        let path = "/behind/" + (host.lastPathComponent == "/" ? "own" : host.lastPathComponent)
        let url = try #require(URL(string: path, relativeTo: host)?.absoluteURL)
        var request = URLRequest(url: url)
        request.timeoutInterval = idleTimeout
        return try await transport.send(TransportRequest(request)).head.statusCode
    }

    /// Has the loop check its timeouts as at `time`.
    private func simulate(_ time: UInt64, on loop: CurlLoop) async throws {
        try await loop.perform { $0.checkTimes(asAt: time) }
    }

    /// Whether a request to the other host waits inside libcurl.
    private static func otherWaits(_ driver: CurlDriver) -> Bool {
        driver.handles.attempts.contains { $0.url?.host == "moya.test" && $0.waitsForConnection }
    }
}
