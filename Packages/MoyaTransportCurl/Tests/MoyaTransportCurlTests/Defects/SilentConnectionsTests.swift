import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// HTTP/2 connections on which a request ended without a response.
@Suite(.timeLimit(.minutes(3))) struct SilentConnectionsTests {
    private typealias Frame = HTTP2FaultTests.Frame

    @Test func `an HTTP/2 connection on which a request timed out is not reused`() async throws {
        let connections = Counter()
        let (server, transport) = try silence(counting: connections)
        defer { server.stop() }
        for count in 1...3 {
            let error = await #expect(throws: URLError.self) {
                try await transport.send(
                    TransportRequest(URLRequest(url: server.url, timeoutInterval: 0.2)))
            }
            #expect(error?.code == .timedOut)
            try await until { connections.count == count }
        }
    }

    /// The time since the last byte is simulated, so that the test does not depend on its speed.
    @Test(.requires(.nginx, .openssl), arguments: [false, true])
    func `an HTTP/2 connection cancelled after a long silence is not reused`(
        isLong: Bool
    ) async throws {
        let arrived = Counter()
        let server = try RawServer { connection in
            _ = connection.read(until: "\r\n\r\n")
            arrived.next()
            connection.waitForClient()
        }
        defer { server.stop() }
        let nginx = try await Nginx(before: server.port)
        let transport = try Self.transport {
            $0.tls.trust = .file(nginx.authority)
            $0.httpVersion = .automatic
        }
        let loop = try transport.firstLoop()
        _ = try await transport.send(TransportRequest(.patient(nginx.url)))
        let silent = TransportRequest(.patient(nginx.url.appendingPathComponent("behind")))
        let task = Task { try await transport.send(silent) }
        try await until { arrived.count == 1 }
        // The last byte in ten minutes' time, or two seconds ago.
        let now = LoopClock.now()
        let spoken = isLong ? now - 2_000_000_000 : now + 600_000_000_000
        try await loop.perform { $0.handles.active.first?.attempt?.times.lastActivity = spoken }
        task.cancel()
        _ = await task.result
        let response = try await transport.send(TransportRequest(.patient(nginx.url)))
        #expect(response.metrics.protocolName == "h2")
        #expect(response.metrics.isReusedConnection == !isLong)
    }

    @Test func `an HTTP/2 connection that never responded is not reused after a cancel`()
        async throws
    {
        let connections = Counter()
        let server = try RawServer { connection in
            let isFirst = connections.next() == 1
            connection.waitForHTTP2Request()
            if !isFirst { connection.write(Frame.head(1, endsStream: true)) }
            connection.waitForClient()
        }
        defer { server.stop() }
        let transport = try Self.transport()
        let request = TransportRequest(.patient(server.url))
        let task = Task { try await transport.send(request) }
        try await until { connections.count == 1 }
        task.cancel()
        _ = await task.result
        #expect(try await transport.send(request).head.statusCode == 200)
    }

    private static func transport(
        _ change: (inout CurlTransport.Configuration) -> Void = { _ in }
    ) throws -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.httpVersion = .http2PriorKnowledge
        configuration.threads = 1
        change(&configuration)
        return try CurlTransport(configuration: configuration)
    }

    /// A server that sends only its settings, and a transport that keeps connections to it.
    private func silence(counting connections: Counter) throws -> (RawServer, CurlTransport) {
        let server = try serveHTTP2 { connection in
            connections.next()
            connection.waitForClient()
        }
        return (server, try Self.transport())
    }
}
