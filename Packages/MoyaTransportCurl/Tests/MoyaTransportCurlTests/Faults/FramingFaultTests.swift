import Foundation
import MoyaCore
import MoyaTesting
import MoyaMockServer
import MoyaTestSupport
import MoyaTransportCurl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Bodies and trailers of faulty servers, and slow readers.
@Suite(.timeLimit(.minutes(3))) struct FramingFaultTests {
    @Test func `bytes after a body are not taken as the next response`() async throws {
        let server = try RawServer { connection in
            while !connection.read(until: "\r\n\r\n").isEmpty {
                connection.write(
                    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
                        + "HTTP/1.1 500 Forged\r\nContent-Length: 0\r\n\r\n")
            }
        }
        defer { server.stop() }
        let transport = CurlTransport()
        for _ in 0..<5 {
            let response = try await send(to: server, transport)
            #expect(response.head.statusCode == 200)
            #expect(try response.body.bytes() == Data("hi".utf8))
        }
    }

    @Test func `a trailer field that is too long is an error that names the cause`() async throws {
        let server = try serve(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA: "
                + String(repeating: "b", count: 300_000) + "\r\n\r\n")
        defer { server.stop() }
        let error = await #expect(throws: URLError.self) { try await send(to: server) }
        #expect(error?.code == .badServerResponse)
        let text = error?.localizedDescription ?? ""
        #expect(text.contains("trailer") || text.contains("bytes of header fields"), "\(text)")
    }

    @Test func `a server silent in the TLS handshake fails after the connect timeout`() async throws
    {
        let server = try RawServer { $0.waitForClient() }
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.connectTimeout = 0.3
        let transport = try CurlTransport(configuration: configuration)
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
        let error = await #expect(throws: URLError.self) {
            try await transport.send(TransportRequest(URLRequest(url: url)))
        }
        #expect(error?.code == .timedOut)
    }

    @Test func `a slow reader of a stream holds the server back`() async throws {
        let pieces = Counter()
        let server = try RawServer { connection in
            _ = connection.read(until: "\r\n\r\n")
            LargeAnswer.write(to: connection, counting: pieces)
        }
        defer { server.stop() }
        let response = try await CurlTransport().send(
            TransportRequest(URLRequest(url: server.url), destination: .stream))
        guard case .stream(let stream) = response.body else { throw NoDataError() }
        let sent = try await waitUntilStable { pieces.count }
        // The socket buffers on both sides, and a margin.
        #expect(sent << 16 < 24 << 20)
        var count = 0
        for try await chunk in stream { count += chunk.count }
        #expect(count == LargeAnswer.size)
    }
}
