#if os(Linux)
    import Foundation
    import FoundationNetworking
    import MoyaCore
    import MoyaMockServer
    import MoyaTransportFoundation
    import Testing

    /// Body lengths (RFC 9112, section 6.3). URLSession's libcurl accepts more than the RFC allows.
    @Suite struct ContentLengthTests {
        private func send(
            _ head: String, _ body: String = "hello", method: String = "GET",
            to destination: ResponseDestination = .memory()
        ) async throws -> (status: Int, body: Data) {
            let server = try RawServer { connection in
                _ = connection.read(until: "\r\n\r\n")
                connection.write("HTTP/1.1 \(head)\r\n\r\n\(body)")
            }
            defer { server.stop() }
            var request = URLRequest(url: server.url)
            request.httpMethod = method
            let response = try await FoundationTransport().send(
                TransportRequest(request, destination: destination))
            switch response.body {
            case .data(let data): return (response.head.statusCode, data)
            case .stream(let stream):
                return (response.head.statusCode, try await stream.collect(upTo: 1000))
            case .file: throw URLError(.unknown)
            }
        }

        @Test(arguments: [
            "Content-Length: 3\r\nContent-Length: 5", "Content-Length: 5\r\nContent-Length: 3",
            "Content-Length: 5\r\nX: y\r\nContent-Length: 3", "Content-Length: 5, 6",
            "Content-Length: 5abc", "Content-Length: 0x5", "Content-Length: +5",
            "Content-Length: -5", "Content-Length: 5,", "Content-Length: 5 5", "Content-Length:",
            "Content-Length: 99999999999999999999999",
            "Content-Length: 5\r\nTransfer-Encoding: chunked\r\nContent-Length: 3",
        ])
        func `A response with an invalid or conflicting Content-Length is a bad response`(
            fields: String
        ) async {
            let isChunked = fields.contains("chunked")
            for destination in [ResponseDestination.memory(), .stream] {
                let error = await #expect(throws: URLError.self) {
                    try await send(
                        "200 OK\r\n\(fields)", isChunked ? "5\r\nhello\r\n0\r\n\r\n" : "hello",
                        to: destination)
                }
                #expect(error?.code == .badServerResponse)
            }
        }

        @Test(arguments: ["Content-Length: 5\r\nContent-Length: 5", "Content-Length: 5, 5"])
        func `A response with equal repeated Content-Length values is accepted`(fields: String)
            async throws
        {
            let response = try await send("200 OK\r\n\(fields)")
            #expect(response.body == Data("hello".utf8))
        }

        @Test func `A chunked response with a length is delimited by its chunks`() async throws {
            let response = try await send(
                "200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked",
                "5\r\nhello\r\n0\r\n\r\n")
            #expect(response.body == Data("hello".utf8))
        }

        // RFC 9112, section 6.1.
        @Test(arguments: [
            "Transfer-Encoding: chunked, chunked", "Transfer-Encoding: chunked,identity ,Chunked",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
        ])
        func `A response with the chunked coding applied twice is a bad response`(fields: String)
            async throws
        {
            for destination in [ResponseDestination.memory(), .stream] {
                let error = await #expect(throws: URLError.self) {
                    try await send(
                        "200 OK\r\n\(fields)", "5\r\nhello\r\n0\r\n\r\n", to: destination)
                }
                #expect(error?.code == .badServerResponse)
            }
        }

        @Test(arguments: [
            ("HEAD", "200 OK"), ("GET", "304 Not Modified"), ("GET", "204 No Content"),
        ])
        func `A response without a body may have any Content-Length`(
            method: String, status: String
        ) async throws {
            let response = try await send(
                "\(status)\r\nContent-Length: 3\r\nContent-Length: 5", "", method: method)
            #expect(response.body.isEmpty)
        }

        // URLSession uses about 330 bytes for each piece until it has read all received bytes.
        @Test func `A body in many small chunks beyond its memory limit is too large`()
            async throws
        {
            let chunks = String(repeating: "1\r\nx\r\n", count: 10_000)
            let server = try RawServer { connection in
                _ = connection.read(until: "\r\n\r\n")
                connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                for _ in 0..<20 where !connection.write(chunks) { return }
                connection.write("0\r\n\r\n")
            }
            defer { server.stop() }
            let request = TransportRequest(
                URLRequest(url: server.url), destination: .memory(limit: 1 << 20))
            let error = await #expect(throws: URLError.self) {
                try await FoundationTransport().send(request)
            }
            #expect(error?.code == .dataLengthExceedsMaximum)
        }

        @Test func `A body in many small pieces within its memory limit is received whole`()
            async throws
        {
            let chunks = String(repeating: "1\r\nx\r\n", count: 10_000)
            let response = try await send(
                "200 OK\r\nTransfer-Encoding: chunked", chunks + "0\r\n\r\n",
                to: .memory(limit: 10_000))
            #expect(response.body.count == 10_000)
        }
    }
#endif
