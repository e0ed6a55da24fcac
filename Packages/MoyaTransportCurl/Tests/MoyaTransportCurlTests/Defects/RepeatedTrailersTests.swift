import Foundation
import MoyaCore
import MoyaInternals
import MoyaMockServer
import MoyaTransportCurl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests with trailer fields that are sent twice.
@Suite(.timeLimit(.minutes(1))) struct RepeatedTrailersTests {
    /// RFC 9110, section 9.2.2: a PUT may be repeated. The expected bytes are those of RFC 9112,
    /// section 7.1.
    @Test
    func `a request whose connection is closed after its trailer fields is sent again with them`()
        async throws
    {
        let (connections, received) = (Locked(0), Locked(""))
        let server = try RawServer { connection in
            let isFirst = connections.withLock { count in
                count += 1
                return count == 1
            }
            if isFirst {
                _ = connection.read(until: "\r\n\r\n")
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
                _ = connection.read(until: "Checksum: abc\r\n\r\n")
                return
            }
            let text = String(decoding: connection.read(until: "abc\r\n\r\n"), as: UTF8.self)
            // libcurl before 8.7 closes a connection before the request is sent again on another.
            if text.isEmpty { return }
            received.withLock { $0 = text }
            connection.write("HTTP/1.1 204 No Content\r\n\r\n")
        }
        defer { server.stop() }
        let transport = CurlTransport()
        _ = try await transport.send(TransportRequest(URLRequest(url: server.url)))
        var stream = RequestBodyStream(length: 5) {
            AsyncStream<Data> { continuation in
                continuation.yield(Data("hello".utf8))
                continuation.finish()
            }
        }
        stream.trailers = { [HeaderField(name: "Checksum", value: "abc")] }
        var request = URLRequest(url: server.url)
        request.httpMethod = "PUT"
        let response = try await transport.send(TransportRequest(request, body: .stream(stream)))
        #expect(response.head.statusCode == 204)
        let text = received.withLock { $0 }
        #expect(text.hasSuffix("\r\n\r\n5\r\nhello\r\n0\r\nChecksum: abc\r\n\r\n"))
    }
}
