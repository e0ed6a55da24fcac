import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import MoyaTransportCurl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A paused HTTP/2 stream beside others on its connection.
@Suite(.timeLimit(.minutes(3))) struct SharedConnectionTests {
    @Test(.requires(.nginx, .openssl))
    func `a slow reader over HTTP/2 holds its stream back without delaying other requests`()
        async throws
    {
        let pieces = Counter()
        let server = try RawServer { connection in
            _ = connection.read(until: "\r\n\r\n")
            LargeAnswer.write(to: connection, counting: pieces)
        }
        defer { server.stop() }
        let nginx = try await Nginx(before: server.port)
        var configuration = CurlTransport.Configuration()
        configuration.tls.trust = .file(nginx.authority)
        let transport = try CurlTransport(configuration: configuration)
        let url = nginx.url
        func ask() async throws -> TransportResponse {
            try await transport.send(TransportRequest(.patient(url)))
        }
        #expect(try await ask().head.httpVersion == "HTTP/2")
        let response = try await transport.send(
            TransportRequest(
                .patient(url.appendingPathComponent("behind")), destination: .stream))
        guard case .stream(let stream) = response.body else { throw NoDataError() }
        let sent = try await waitUntilStable {
            let response = try await ask()
            #expect(response.metrics.isReusedConnection == true)
            return pieces.count
        }
        // The window of a stream, and the buffers between the server and the reader.
        #expect(sent << 16 < 48 << 20)
        var count = 0
        for try await chunk in stream { count += chunk.count }
        #expect(count == LargeAnswer.size)
    }
}
