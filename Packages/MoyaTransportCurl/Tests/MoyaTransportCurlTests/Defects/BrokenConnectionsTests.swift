import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTesting
import MoyaTransportCurl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The effect of a failed connection on other connections.
@Suite(.timeLimit(.minutes(1))) struct BrokenConnectionsTests {
    @Test func `a connection that is reset over HTTP/1.1 leaves another server's connection open`()
        async throws
    {
        let server = try MockServer()
        defer { server.stop() }
        let resetting = try RawServer { connection in
            _ = connection.read(until: "\r\n\r\n")
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
            connection.resetAtEnd()
        }
        defer { resetting.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.threads = 1
        let transport = try CurlTransport(configuration: configuration)
        _ = try await transport.send(.patient(server))
        let error = await #expect(throws: URLError.self) {
            try await transport.send(TransportRequest(.patient(resetting.url)))
        }
        #expect(error?.code == .networkConnectionLost)
        let response = try await transport.send(.patient(server))
        #expect(response.metrics.isReusedConnection == true)
        #expect(server.connectionCount == 1)
    }
}
