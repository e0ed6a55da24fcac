import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTesting
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

/// Resources that a transport's thread frees when it ends.
@Suite(.timeLimit(.minutes(3))) struct LoopReleaseTests {
    private final class WeakLoop {
        weak var value: CurlLoop?
        init(_ value: CurlLoop) { self.value = value }
    }

    @Test func `a loop that ends while requests wait for a connection is deallocated`()
        async throws
    {
        let server = try MockServer()
        defer { server.stop() }
        let loop = try await endedLoop(server)
        try await until { loop.value == nil }
    }

    // The cancelled request stays in its host's queue until the loop ends, which ends the request a
    // second time.
    @Test(.timeLimit(.minutes(1)))
    func `a streamed request cancelled while it waits for a connection ends its exchange once`()
        async throws
    {
        let server = try MockServer()
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.maxConnectionsPerHost = 1
        let transport = try CurlTransport(configuration: configuration)
        let request = TransportRequest.patient(server, "/stall")
        let first = Task { try await transport.send(request) }
        _ = try await server.waitForRequests(1)
        var streamed = request
        streamed.destination = .stream
        let second = Task { [streamed] in try await transport.send(streamed) }
        try await until {
            try await transport.firstLoop().perform { $0.queue.waitingCount } == 1
        }
        second.cancel()
        await #expect(throws: URLError(.cancelled)) { try await second.value }
        await transport.shutdown(draining: 0)
        await #expect(throws: URLError(.cancelled)) { try await first.value }
        // Waits until the number of exchanges is 0.
        await transport.shutdown(draining: 600)
    }

    /// The loop of a transport that was shut down with one running request, and three waiting for
    /// its connection.
    private func endedLoop(_ server: MockServer) async throws -> WeakLoop {
        var configuration = CurlTransport.Configuration()
        configuration.maxConnectionsPerHost = 1
        let transport = try CurlTransport(configuration: configuration)
        let loop = WeakLoop(try transport.firstLoop())
        let request = TransportRequest.patient(server, "/stall")
        let requests = (0..<4).map { _ in Task { try await transport.send(request) } }
        _ = try await server.waitForRequests(1)
        try await until {
            try await transport.firstLoop().perform { $0.queue.waitingCount } == 3
        }
        await transport.shutdown(draining: 0)
        for request in requests {
            await #expect(throws: URLError(.cancelled)) { try await request.value }
        }
        return loop
    }
}
