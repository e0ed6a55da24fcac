#if AsyncHTTPClient
    import Foundation
    import MoyaCore
    import MoyaMockServer
    import MoyaTransportNIO
    import NIOConcurrencyHelpers
    import Testing

    /// Responses that arrive before the request has been sent.
    @Suite(.timeLimit(.minutes(1))) struct EarlyResponseTests {
        private static let response =
            "HTTP/1.1 413 Content Too Large\r\nContent-Length: 5\r\n\r\nearly"

        /// RFC 9112, section 9.3: a server closes in stages, so that the client can read the
        /// response before the connection is reset.
        @Test func `an early 413 arrives while 20 MB are sent`() async throws {
            let server = try RawServer { connection in
                _ = connection.read(until: "\r\n\r\n")
                connection.write(Self.response)
                connection.halfClose()
            }
            defer { server.stop() }
            let transport = HTTPClientTransport()
            var request = URLRequest(url: server.url)
            request.httpMethod = "POST"
            for _ in 0..<15 {
                let response = try await transport.send(
                    TransportRequest(request, body: .data(Data(count: 20_000_000))))
                #expect(response.head.statusCode == 413)
            }
        }

        @Test func `a body whose upload ends with an early response is released`() async throws {
            let server = try RawServer { connection in
                // The client's upload is paused when the response arrives.
                while connection.read().count > 0 {
                    usleep(100_000)
                    connection.write(Self.response)
                    break
                }
                connection.halfClose()
            }
            defer { server.stop() }
            let transport = HTTPClientTransport()
            weak var source: Source?
            do {
                let body = Source()
                source = body
                var request = URLRequest(url: server.url)
                request.httpMethod = "POST"
                let stream = RequestBodyStream {
                    AsyncStream<Data> { body.read() }
                }
                let response = try await transport.send(
                    TransportRequest(request, body: .stream(stream)))
                #expect(response.head.statusCode == 413)
            }
            while source != nil { try await Task.sleep(for: .milliseconds(10)) }
        }

        private final class Source: Sendable {
            func read() -> Data { Data(count: 64 << 10) }
        }
    }
#endif
