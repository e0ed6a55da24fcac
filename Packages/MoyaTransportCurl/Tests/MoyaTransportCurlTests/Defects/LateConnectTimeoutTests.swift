import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests that wait for a connection in use for longer than the connect timeout.
@Suite(.timeLimit(.minutes(3))) struct LateConnectTimeoutTests {
    @Test(.requires(.nginx, .openssl))
    func `a request may wait for a connection in use for longer than connectTimeout`() async throws
    {
        let gate = DispatchSemaphore(value: 0)
        let behind = try MockServer { _ in
            gate.wait()
            return .text("x")
        }
        defer { behind.stop() }
        let hosts = try await TwoHosts(before: behind.port)
        var configuration = hosts.configuration
        configuration.maxConnections = 1
        configuration.connectTimeout = 2
        let transport = try CurlTransport(configuration: configuration)
        let loop = try transport.firstLoop()
        try await hosts.greet(over: transport)
        let stall = TransportRequest(.patient(hosts.own.appendingPathComponent("behind/stall")))
        let first = Task { try await transport.send(stall) }
        _ = try await behind.waitForRequests(1)
        let start = LoopClock.now()
        let second = Task { try await transport.send(TransportRequest(.patient(hosts.other))) }
        try await until { try await loop.perform { $0.handles.active.count } == 2 }
        // Longer than the connect timeout, which libcurl measures by its own clock.
        try await until { LoopClock.now() > start + 2_500_000_000 }
        gate.signal()
        #expect(try await first.value.head.statusCode == 200)
        #expect(try await second.value.head.statusCode == 200)
    }
}
