import Foundation
import MoyaCore
import MoyaInternals
import MoyaMockServer
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Servers that send TLS handshake messages endlessly.
@Suite(.timeLimit(.minutes(3))) struct HandshakeLimitTests {
    /// A TLS record of 4,096 HelloRequest messages, which clients ignore (RFC 5246, section
    /// 7.4.1.1).
    private static let helloRequests = Data([0x16, 0x03, 0x03, 0x40, 0x00]) + Data(count: 0x4000)

    @Test func `a TLS server that never ends the handshake does not delay other requests`()
        async throws
    {
        let flood = try Flood(then: Self.helloRequests, afterRequest: false)
        let error = try await flood.expectOthersToGoOn(
            beside: "https://127.0.0.1:\(flood.server.port)/")
        #expect(error?.code == .secureConnectionFailed)
        // The socket buffers on both sides add to what the transport has read.
        #expect(flood.sent.withLock { $0 } < 64 << 20)
    }

    @Test
    func `a new connection is not mistaken for an earlier connection that was shut down`()
        async throws
    {
        let flood = try Flood(then: Self.helloRequests, afterRequest: false)
        defer { flood.server.stop() }
        let server = try RawServer { connection in
            _ = connection.read(until: "\r\n\r\n")
            // The body ends with the connection.
            connection.write("HTTP/1.1 200 OK\r\n\r\nhello")
        }
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.threads = 1
        let transport = try CurlTransport(configuration: configuration)
        let hostile = try #require(URL(string: "https://127.0.0.1:\(flood.server.port)/"))
        for _ in 0..<3 {
            await #expect(throws: URLError.self) {
                try await transport.send(TransportRequest(URLRequest(url: hostile)))
            }
            let response = try await transport.send(TransportRequest(URLRequest(url: server.url)))
            #expect(try response.text == "hello")
        }
    }
}
