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

/// Responses with wrong or conflicting lengths (RFC 9112, section 6).
@Suite(.seeded, .timeLimit(.minutes(3))) struct FramingFaultTests {
    private func send(to server: RawServer, _ transport: CurlTransport = CurlTransport())
        async throws -> TransportResponse
    {
        try await transport.send(TransportRequest(URLRequest(url: server.url)))
    }

    private func serve(_ answer: String) throws -> RawServer {
        try RawServer { connection in
            _ = connection.read(until: "\r\n\r\n")
            connection.write(answer)
            connection.waitForClient()
        }
    }

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

    @Test func `chunked framing takes precedence over Content-Length`() async throws {
        let server = try serve(
            "HTTP/1.1 200 OK\r\nContent-Length: 40\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "2\r\nhi\r\n0\r\n\r\n")
        defer { server.stop() }
        #expect(try await send(to: server).body.bytes() == Data("hi".utf8))
    }

    @Test(arguments: [
        "Content-Length: 2\r\nContent-Length: 5", "content-length: 5\r\nX: y\r\nContent-LENGTH: 2",
        "Content-Length: 2, 5", "Content-Length: -2", "Content-Length: +2", "Content-Length: 2x",
        "Content-Length: 0x2", "Content-Length: 2 2", "Content-Length:", "Content-Length: 2,",
        "Content-Length: 9223372036854775808", "Content-Length: 99999999999999999999999",
        "Content-Length: 2\r\nTransfer-Encoding: chunked\r\nContent-Length: 5",
    ])
    func `conflicting or invalid Content-Length fields are an error`(fields: String) async throws {
        for status in ["200 OK", "404 Not Found"] {
            let server = try serve("HTTP/1.1 \(status)\r\n\(fields)\r\n\r\nhello")
            defer { server.stop() }
            for destination in [ResponseDestination.memory(), .stream] {
                let request = TransportRequest(
                    URLRequest(url: server.url), destination: destination)
                let error = await #expect(throws: URLError.self) {
                    try await CurlTransport().send(request)
                }
                #expect(error?.code == .badServerResponse)
                let text = error?.localizedDescription ?? ""
                #expect(text.contains("no length"), "\(text)")
            }
        }
    }

    @Test(arguments: [
        "Content-Length: 2\r\nContent-Length: 2", "Content-Length: 2, 2", "Content-Length:\t02 ",
    ])
    func `equal repeated Content-Length values are accepted`(fields: String) async throws {
        let server = try serve("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\nhi")
        defer { server.stop() }
        #expect(try await send(to: server).body.bytes() == Data("hi".utf8))
    }

    @Test(arguments: [("HEAD", "200 OK"), ("GET", "304 Not Modified"), ("GET", "204 No Content")])
    func `conflicting lengths of a response without a body are ignored`(
        method: String, status: String
    )
        async throws
    {
        let server = try serve(
            "HTTP/1.1 103 Early Hints\r\nContent-Length: x\r\n\r\n"
                + "HTTP/1.1 \(status)\r\nContent-Length: 2\r\nContent-Length: 5\r\n\r\n")
        defer { server.stop() }
        var request = URLRequest(url: server.url)
        request.httpMethod = method
        let response = try await CurlTransport().send(TransportRequest(request))
        #expect(status.hasPrefix("\(response.head.statusCode)"))
    }

    @Test(arguments: [
        "FFFFFFFFFFFFFFFFFF\r\nhi", "2\r\nhiXX\r\n0\r\n\r\n", "-2\r\nhi\r\n0\r\n\r\n",
    ])
    func `malformed chunks fail as a lost connection`(chunks: String) async throws {
        let server = try serve("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks)
        defer { server.stop() }
        let error = await #expect(throws: URLError.self) { try await send(to: server) }
        #expect(error?.code == .networkConnectionLost)
    }

    /// RFC 9112, section 8. Go and Python fail as well.
    @Test(arguments: ["0\r\n\r", "0\r\nA: b\r\n\r", "0\r\n", "0"])
    func `a chunked body with a truncated last chunk fails as a lost connection`(end: String)
        async throws
    {
        let generator = SeededGenerator()
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
        let server = try RawServer.inPieces(generator) { path in
            Data("\(head)2\r\nhi\r\n\(path == "whole" ? "0\r\n\r\n" : end)".utf8)
        }
        defer { server.stop() }
        func body(_ path: String, _ destination: ResponseDestination) async throws -> Data {
            let request = URLRequest.patient(server.url.appendingPathComponent(path))
            let response = try await CurlTransport().send(
                TransportRequest(request, destination: destination))
            guard case .stream(let stream) = response.body else { return try response.body.bytes() }
            return try await stream.collect(upTo: 100)
        }
        for destination in [ResponseDestination.memory(), .stream] {
            #expect(try await body("whole", destination) == Data("hi".utf8))
            let error = await #expect(throws: URLError.self) { try await body("", destination) }
            #expect(error?.code == .networkConnectionLost)
        }
    }

    /// RFC 9112, section 5.1.
    @Test(arguments: [
        "Transfer-Encoding : chunked", "transfer-encoding\t: chunked", "Content-Length : 3",
        "Content-Length \t: 3", "Content-Length: 3\r\ncontent-length : 3",
    ])
    func `a framing field with white space before its colon is an error`(field: String)
        async throws
    {
        let server = try serve(
            "HTTP/1.1 200 OK\r\n\(field)\r\nConnection: close\r\n\r\n5\r\nhello\r\n0\r\n\r\n")
        defer { server.stop() }
        let error = await #expect(throws: URLError.self) { try await send(to: server) }
        #expect(error?.code == .badServerResponse)
    }

    /// RFC 9112, section 6.1.
    @Test(arguments: [
        "Transfer-Encoding: chunked, chunked", "Transfer-Encoding: chunked,identity ,Chunked",
        "Transfer-Encoding: chunked\r\ntransfer-encoding: chunked",
    ])
    func `a response with the chunked coding applied twice is an error`(fields: String)
        async throws
    {
        let server = try serve(
            "HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n5\r\nhello\r\n0\r\n\r\n")
        defer { server.stop() }
        let error = await #expect(throws: URLError.self) { try await send(to: server) }
        #expect(error?.code == .badServerResponse)
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
