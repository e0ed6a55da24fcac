import CMoyaCurl
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
        try await until { LoopClock.now() > submitted + Self.second / 2 }
        accepted.signal()
        _ = try await behind.waitForRequests(2)
        // Two minutes after the start, but not after the requests got their connection.
        try await simulate(submitted + 120 * Self.second + Self.second / 4, on: loop)
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
            usleep(1_200_000)
            return proposed
        }
        let request = TransportRequest(urlRequest, redirectPolicy: policy)
        let error = await #expect(throws: URLError.self) { try await transport.send(request) }
        #expect(error?.code == .timedOut)
        #expect(server.requests.map(\.path) == ["/"])
    }

    /// Has the loop check its timeouts as at `time`.
    private func simulate(_ time: UInt64, on loop: CurlLoop) async throws {
        try await loop.perform { driver in
            driver.now = time
            driver.checkTimes()
            driver.now = LoopClock.now()
            // libcurl's timer was set with the simulated time.
            driver.act(CURL_SOCKET_TIMEOUT, 0)
        }
    }
}
