import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Trailers, informational responses, expectations and size limits.
@Suite struct MessageTests {
    private func request(_ url: URL, method: String = "GET") -> TransportRequest {
        var request = URLRequest(url: url)
        request.httpMethod = method
        return TransportRequest(request)
    }

    @Test func `response trailers arrive separately from the header fields`() async throws {
        let server = try RawServer { connection in
            _ = connection.read(until: "\r\n\r\n")
            connection.write(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n"
                    + "2\r\nhi\r\n0\r\nX-Sum: 17\r\n\r\n")
        }
        defer { server.stop() }
        let response = try await CurlTransport().send(request(server.url))
        #expect(response.trailers == [HeaderField(name: "X-Sum", value: "17")])
        #expect(response.head.value(for: "X-Sum") == nil)
    }

    @Test
    func `trailers that arrive while the transfer is paused by a slow reader are all delivered`()
        async throws
    {
        // Fills the reader's buffer, except for less than the last piece.
        let first = Data(repeating: UInt8(ascii: "a"), count: 256 << 10)
        let server = try RawServer { connection in
            _ = connection.read(until: "\r\n\r\n")
            connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n40000\r\n")
            connection.write(first)
            connection.write("\r\n1\r\nb\r\n0\r\nA: 1\r\nB: 2\r\nC:3\r\n\r\n")
        }
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.threads = 1
        let transport = try CurlTransport(configuration: configuration)
        let response = try await transport.send(
            TransportRequest(.patient(server.url), destination: .stream))
        guard case .stream(let stream) = response.body else { throw NoDataError() }
        let loop = try transport.firstLoop()
        try await until {
            try await loop.perform { $0.handles.active.first?.attempt?.paused == .receiving }
        }
        #expect(try await stream.collect(upTo: 1 << 20) == first + Data("b".utf8))
        #expect(
            stream.trailers == [
                HeaderField(name: "A", value: "1"), HeaderField(name: "B", value: "2"),
                HeaderField(name: "C", value: "3"),
            ])
    }

    @Test func `fields of an informational response are not in the response`() async throws {
        let server = try RawServer { connection in
            _ = connection.read(until: "\r\n\r\n")
            connection.write(
                "HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n"
                    + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
        }
        defer { server.stop() }
        let response = try await CurlTransport().send(request(server.url))
        #expect(response.head.statusCode == 200)
        #expect(response.head.value(for: "Link") == nil)
    }

    /// Sends `hello` after a 100 Continue, for which it waits two minutes.
    private func sendAsking(to server: RawServer) async throws -> TransportResponse {
        var request = URLRequest(url: server.url)
        request.httpMethod = "PUT"
        request.setValue("100-continue", forHTTPHeaderField: "Expect")
        // When this time is over, the body would be sent without a 100 Continue.
        var configuration = CurlTransport.Configuration()
        configuration.expectContinueTimeout = 120
        return try await CurlTransport(configuration: configuration)
            .send(TransportRequest(request, body: .data(Data("hello".utf8))))
    }

    @Test func `a body with Expect 100-continue waits for the server's 100 Continue`() async throws
    {
        let server = try RawServer { connection in
            let head = connection.read(until: "\r\n\r\n")
            // The head has arrived without any part of the body.
            let isAlone = head.suffix(4) == Data("\r\n\r\n".utf8)
            let isAsked = head.range(of: Data("Expect: 100-continue".utf8)) != nil
            connection.write("HTTP/1.1 100 Continue\r\n\r\n")
            let body = connection.read(until: "hello")
            let isRight = isAlone && isAsked && body == Data("hello".utf8)
            let answer = isRight ? "200 OK" : "500 Too early"
            connection.write("HTTP/1.1 \(answer)\r\nContent-Length: 0\r\n\r\n")
        }
        defer { server.stop() }
        #expect(try await sendAsking(to: server).head.statusCode == 200)
    }

    @Test func `a CONNECT request is refused without being sent`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let error = await #expect(throws: URLError.self) {
            try await CurlTransport().send(request(server.url, method: "CONNECT"))
        }
        #expect(error?.code == .unsupportedURL)
        #expect(server.requests.isEmpty)
    }

    @Test func `the decompression limit applies to bodies in memory`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.maxDecompressedSize = 1 << 20
        let transport = try CurlTransport(configuration: configuration)
        let small = request(server.url.appendingPathComponent("zeros/1000000"))
        let large = request(server.url.appendingPathComponent("zeros/100000000"))
        #expect(try await transport.send(small).head.statusCode == 200)
        let error = await #expect(throws: URLError.self) { try await transport.send(large) }
        #expect(error?.code == .dataLengthExceedsMaximum)
    }
}
