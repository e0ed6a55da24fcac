import Foundation
import MoyaCore
import MoyaInternals
import MoyaMockServer
import MoyaTransportCurl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Request trailers and informational responses.
@Suite struct MessageExtrasTests {
    private func body(
        _ trailers: @escaping @Sendable () -> [HeaderField]
    ) -> RequestBody {
        var stream = RequestBodyStream(length: 5) {
            AsyncStream<Data> { continuation in
                continuation.yield(Data("hello".utf8))
                continuation.finish()
            }
        }
        stream.trailers = trailers
        return .stream(stream)
    }

    private func put(_ url: URL, _ body: RequestBody) -> TransportRequest {
        var request = URLRequest(url: url)
        request.httpMethod = "PUT"
        request.setValue("Checksum", forHTTPHeaderField: "Trailer")
        return TransportRequest(request, body: body)
    }

    @Test func `Trailer fields are sent after a chunked request body`() async throws {
        let received = Locked("")
        let server = try RawServer { connection in
            let text = String(decoding: connection.read(until: "More: 1\r\n\r\n"), as: UTF8.self)
            received.withLock { $0 = text }
            connection.write("HTTP/1.1 204 No Content\r\n\r\n")
        }
        defer { server.stop() }
        let trailers = [
            HeaderField(name: "Checksum", value: "abc"), .init(name: "More", value: "1"),
        ]
        let request = put(server.url, body { trailers })
        #expect(try await CurlTransport().send(request).head.statusCode == 204)
        let text = received.withLock { $0 }
        #expect(text.contains("Trailer: Checksum\r\n"))
        #expect(text.hasSuffix("5\r\nhello\r\n0\r\nChecksum: abc\r\nMore: 1\r\n\r\n"))
    }

    @Test func `A request trailer field with a line break is refused`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let request = put(server.url, body { [HeaderField(name: "A", value: "1\r\nB: 2")] })
        await #expect(throws: RequestError.self) { try await CurlTransport().send(request) }
        #expect(server.requests.isEmpty)
    }

    @Test
    func `Request trailers over HTTP/2 with prior knowledge are an error before connecting`()
        async throws
    {
        var configuration = CurlTransport.Configuration()
        configuration.httpVersion = .http2PriorKnowledge
        let server = try MockServer()
        defer { server.stop() }
        let transport = try CurlTransport(configuration: configuration)
        let request = put(server.url, body { [] })
        let error = await #expect(throws: URLError.self) { try await transport.send(request) }
        #expect(error?.localizedDescription.contains("http1") == true)
        #expect(server.connectionCount == 0)
    }

    @Test func `Informational responses are reported one by one, and are not the response`()
        async throws
    {
        let server = try RawServer { connection in
            _ = connection.read(until: "\r\n\r\n")
            connection.write("HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n")
            connection.write("HTTP/1.1 102 Processing\r\n\r\n")
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
        }
        defer { server.stop() }
        let heads = Locked<[ResponseHead]>([])
        var request = TransportRequest(URLRequest(url: server.url))
        request.informational = { head in heads.withLock { $0.append(head) } }
        let response = try await CurlTransport().send(request)
        let informational = heads.withLock { $0 }
        #expect(informational.map(\.statusCode) == [103, 102])
        #expect(informational.first?.value(for: "Link") == "</a.css>")
        #expect(response.head.statusCode == 200)
        #expect(response.head.value(for: "Link") == nil)
    }
}
