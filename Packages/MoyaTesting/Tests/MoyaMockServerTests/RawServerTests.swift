import Foundation
import MoyaCore
import MoyaInternals
import MoyaTestSupport
import Testing

@testable import MoyaMockServer

@Suite struct RawServerTests {
    /// A child process that starts between `accept` and the close-on-exec mark holds such a copy.
    @Test
    func
        `a raw server's client sees the end of its connection while a copy of the socket is open`()
        async throws
    {
        let copy = Locked<Int32>(-1)
        let server = try RawServer { connection in
            copy.withLock { $0 = dup(connection.socket.descriptor) }
        }
        defer { server.stop() }
        let said = try await RawClient.connected(to: server.port) { try $0.receiveAll() }
        #expect(said.isEmpty)
        close(copy.withLock { $0 })
    }

    @Test func `a requested reset reaches the client as a reset`() async throws {
        let server = try RawServer { connection in
            _ = connection.read()
            connection.resetAtEnd()
        }
        defer { server.stop() }
        await #expect(throws: RawClient.Failure.reset) {
            try await RawClient.connected(to: server.port) { client in
                client.send("x")
                return try client.receiveAll()
            }
        }
    }

    @Test func `a stopped raw server refuses connections`() async throws {
        let isRefused = try await RawClient.isRefused {
            let server = try RawServer { $0.waitForClient() }
            server.stop()
            return server.port
        }
        #expect(isRefused)
    }
}
