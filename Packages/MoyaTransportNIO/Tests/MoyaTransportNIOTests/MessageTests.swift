#if AsyncHTTPClient
    import MoyaCore
    import MoyaMockServer
    import MoyaTransportNIO
    import Testing

    /// Message details that the README lists, in addition to the conformance suite.
    @Suite(.timeLimit(.minutes(1))) struct MessageTests {
        private func send(
            _ method: String = "GET", body: RequestBody? = nil,
            destination: ResponseDestination = .memory(), fields: [String: String] = [:],
            answering response: MockResponse
        ) async throws -> (TransportResponse, MockRequest?) {
            let server = try MockServer { _ in response }
            defer { server.stop() }
            var request = URLRequest(url: server.url)
            request.httpMethod = method
            request.allHTTPHeaderFields = fields
            let answer = try await HTTPClientTransport().send(
                TransportRequest(request, body: body, destination: destination))
            return (answer, server.requests.first)
        }

        private func code(_ body: () async throws -> Void) async -> URLError.Code? {
            do {
                try await body()
                return nil
            } catch { return (error as? URLError)?.code }
        }

        private func raw(_ fields: String, _ body: Data = Data()) -> MockResponse {
            .raw(
                Data("HTTP/1.1 200 OK\r\n\(fields)Content-Length: \(body.count)\r\n\r\n".utf8)
                    + body)
        }

        @Test func `a header field on two lines is a bad response`() async {
            let code = await code { _ = try await send(answering: raw("X-Odd:\r\n folded\r\n")) }
            #expect(code == .badServerResponse)
        }

        @Test func `a byte of a header field that is not UTF-8 becomes a replacement character`()
            async throws
        {
            let bytes =
                Data("HTTP/1.1 200 OK\r\nX-Odd: a".utf8) + [0xE9]
                + Data("b\r\nContent-Length: 0\r\n\r\n".utf8)
            let (response, _) = try await send(answering: .raw(bytes))
            #expect(response.head.value(for: "X-Odd") == "a\u{FFFD}b")
        }

        @Test func `a GET request sends its body`() async throws {
            let (_, request) = try await send(
                body: .data(Data("query".utf8)), answering: .text("ok"))
            #expect(request?.body == Data("query".utf8))
        }

        @Test(arguments: ["CONNECT", "TRACE"])
        func `CONNECT requests, and TRACE requests with a body, are errors`(method: String) async {
            let code = await code {
                _ = try await send(method, body: .data(Data("x".utf8)), answering: .text("ok"))
            }
            #expect(code == (method == "CONNECT" ? .unsupportedURL : .badURL))
        }

        @Test func `a request with Expect sends its body without waiting`() async throws {
            let (response, request) = try await send(
                "PUT", body: .data(Data("body".utf8)), fields: ["Expect": "100-continue"],
                answering: .text("ok"))
            #expect(response.head.statusCode == 200)
            #expect(request?.value(for: "Expect") == "100-continue")
            #expect(request?.body == Data("body".utf8))
        }

        @Test func `a truncated compressed body is an error even if its Content-Length matches`()
            async throws
        {
            // gzip of "hello hello hello", without the last 10 bytes.
            let gzip = try #require(
                Data(base64Encoded: "H4sIAAAAAAACA8tIzcnJV8hAkACAiPnlEQAAAA=="))
            let cut = raw("Content-Encoding: gzip\r\n", gzip.dropLast(10))
            let code = await code { _ = try await send(answering: cut) }
            #expect(code == .cannotDecodeContentData)
        }

        @Test func `a compressed body that expands beyond the memory limit is an error`()
            async throws
        {
            let code = await code {
                _ = try await send(
                    destination: .memory(limit: 1 << 20), answering: .compressedZeros(200 << 20))
            }
            #expect(code == .dataLengthExceedsMaximum)
        }
    }
#endif
