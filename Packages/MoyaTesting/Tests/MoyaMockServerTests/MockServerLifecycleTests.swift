import Foundation
import MoyaCore
import MoyaTestSupport
import MoyaTransportConformance
import Testing

@testable import MoyaMockServer

@Suite(.timeLimit(.minutes(3))) struct MockServerLifecycleTests {
    @Test func `a server waits for requests and for clients to disconnect`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        async let requests = server.waitForRequests(2)
        _ = try await RawClient.exchange(
            "GET /get HTTP/1.1\r\n\r\nGET /get HTTP/1.1\r\n\r\n", with: server)
        #expect(try await requests.count >= 2)
        try await server.waitUntilDisconnected()
        #expect(server.openConnectionCount == 0)
        let error = await #expect(throws: MockServer.TimeoutError.self) {
            try await server.waitForRequests(3, timeout: 0.01)
        }
        #expect(error?.description == "Waited 0.01 s in vain for 3 requests.")
    }

    @Test func `waiting for requests can be cancelled`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let task = Task { try await server.waitForRequests(1, timeout: 10_000) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test(arguments: ["/stall", "/delay/1000000", "/drip?delay=1000000", "/bytes/100000000000"])
    func `stopping a server ends long responses and may be repeated`(path: String) async throws {
        let server = try MockServer()
        async let end = RawClient.connected(to: server.port) { client in
            client.send("GET \(path) HTTP/1.1\r\n\r\n")
            // Bytes in transit may be lost. The test only waits for the end of the connection.
            while let piece = try? client.receive(), !piece.isEmpty {}
            return true
        }
        _ = try await server.waitForRequests(1)
        server.stop()
        server.stop()
        #expect(try await end)
        try await server.waitUntilDisconnected()
    }

    @Test func `stopping a server ends a delay although the client has sent more`() async throws {
        let server = try MockServer()
        async let answer = RawClient.connected(to: server.port) { client in
            client.send("GET /delay/1000000 HTTP/1.1\r\n\r\nGET /get HTTP/1.1\r\n\r\n")
            return (try? client.receiveAll()) ?? Data()
        }
        _ = try await server.waitForRequests(1)
        server.stop()
        #expect(try await answer == Data())
        try await server.waitUntilDisconnected()
    }

    @Test func `a stopped server refuses connections`() async throws {
        let isRefused = try await RawClient.isRefused {
            let server = try MockServer()
            server.stop()
            return server.port
        }
        #expect(isRefused)
    }

    @Test func `a deallocated MockServer stops`() async throws {
        let isRefused = try await RawClient.isRefused {
            var server: MockServer? = try MockServer()
            let port = try #require(server?.port)
            async let end = RawClient.connected(to: port) { client in
                client.send("GET /stall HTTP/1.1\r\n\r\n")
                return try client.receiveAll()
            }
            _ = try await server?.waitForRequests(1)
            server = nil
            #expect(try await end == Data())
            return port
        }
        #expect(isRefused)
    }

    @Test func `50 servers have different ports`() throws {
        let servers = try (0..<50).map { _ in try MockServer() }
        #expect(Set(servers.map(\.port)).count == 50)
        for server in servers { server.stop() }
    }

    #if os(Linux)
        /// In a separate process, because descriptors and threads of other tests would count as
        /// well.
        @Test func `a stopped server leaves no descriptors and threads behind`() async {
            await #expect(processExitsWith: .success) {
                try await useServer()
                let before = TransportConformance.Footprint.current()
                for _ in 0..<20 { try await useServer() }
                let after = TransportConformance.Footprint.current()
                // The runtime may open a few descriptors at any time. 20 leaking servers would have
                // added 40.
                try #require(after.descriptors < before.descriptors + 20)
                // Threads that served a connection may still be ending, and pools may grow. 20
                // leaking servers would have added 120.
                try #require(after.threads < before.threads + 60)
            }
        }
    #endif
}

/// Makes a server serve, stall and reset connections, stops it and waits for the connections to
/// end.
private func useServer() async throws {
    let server = try MockServer { request in
        switch request.path {
        case "/stall": .silence(then: .stall)
        case "/reset": .silence(then: .reset)
        default: .text("x")
        }
    }
    await withTaskGroup(of: Void.self) { group in
        for path in ["/", "/", "/reset", "/stall", "/stall"] {
            group.addTask {
                _ = try? await RawClient.connected(to: server.port) { client in
                    client.send("GET \(path) HTTP/1.1\r\n\r\n")
                    _ = try? path == "/" ? client.receive() : client.receiveAll()
                }
            }
        }
        _ = try? await server.waitForRequests(5)
        server.stop()
    }
    try await server.waitUntilDisconnected()
}
