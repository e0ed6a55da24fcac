import Foundation
@_spi(MoyaInternals) import MoyaCore
@_spi(MoyaInternals) import MoyaTesting
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(15))) struct SilenceTests {
    @Test func `silence counts from the last byte, however long that was waited for`()
        async throws
    {
        let spoken = Locked<UInt64?>(nil)
        let server = try RawServer { connection in
            _ = connection.read(until: "\r\n\r\n")
            // The client waits by now, or soon.
            usleep(50_000)
            spoken.withLock { $0 = LoopClock.now() }
            connection.write("HTTP/1.1 200 OK\r\n\r\npart")
            connection.waitForClient()
        }
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.threads = 1
        let transport = try CurlTransport(configuration: configuration)
        let response = try await transport.send(
            TransportRequest(URLRequest(url: server.url), destination: .stream))
        let loop = try transport.firstLoop()
        let heard = try await loop.perform { $0.active.first?.transfer?.lastActivity }
        #expect(try #require(heard) >= #require(spoken.withLock { $0 }))
        transport.shutdown()
        withExtendedLifetime(response) {}
    }
}
