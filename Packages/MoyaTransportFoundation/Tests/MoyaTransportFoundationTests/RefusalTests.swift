#if os(Linux)
    import Foundation
    import FoundationNetworking
    import MoyaCore
    import MoyaMockServer
    import MoyaTransportFoundation
    import Testing

    /// Requests and responses that the README's tables say are refused.
    @Suite struct RefusalTests {
        private func code(of request: TransportRequest) async -> URLError.Code? {
            let error = await #expect(throws: URLError.self) {
                try await FoundationTransport().send(request)
            }
            return error?.code
        }

        @Test func `A GET request with a body is an error`() async throws {
            let server = try MockServer()
            defer { server.stop() }
            let request = TransportRequest(
                URLRequest(url: server.url), body: .data(Data("body".utf8)))
            #expect(await code(of: request) == .dataLengthExceedsMaximum)
            #expect(server.requests.isEmpty)
        }

        @Test func `An IPv6 address as a host is an error`() async throws {
            let url = try #require(URL(string: "http://[::1]:9/"))
            #expect(await code(of: TransportRequest(URLRequest(url: url))) == .badURL)
        }

        @Test func `A request body with trailer fields is an error before it is read`() async throws
        {
            let server = try MockServer()
            defer { server.stop() }
            var stream = RequestBodyStream(length: 4) {
                Issue.record("The body is read.")
                return AsyncStream<Data> { $0.finish() }
            }
            stream.trailers = { [HeaderField(name: "X-End", value: "1")] }
            var request = URLRequest(url: server.url)
            request.httpMethod = "POST"
            let code = await code(of: TransportRequest(request, body: .stream(stream)))
            #expect(code == .unsupportedURL)
            #expect(server.requests.isEmpty)
        }

        // curl's program refuses more than five content codings, too.
        @Test func `A body with five content codings is decoded, and one with six is an error`()
            async throws
        {
            let server = try MockServer { request in
                (0..<(request.path == "/5" ? 5 : 6)).reduce(MockResponse.text("hello")) { made, _ in
                    made.compressed(.gzip)
                }
            }
            defer { server.stop() }
            let five = URLRequest(url: server.url.appendingPathComponent("5"))
            let response = try await FoundationTransport().send(TransportRequest(five))
            guard case .data(Data("hello".utf8)) = response.body else {
                Issue.record("The body is another: \(response.body)")
                return
            }
            let six = URLRequest(url: server.url.appendingPathComponent("6"))
            #expect(await code(of: TransportRequest(six)) == .cannotDecodeContentData)
        }
    }
#endif
