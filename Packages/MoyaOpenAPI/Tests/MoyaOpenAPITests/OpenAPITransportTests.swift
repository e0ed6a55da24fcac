#if OpenAPI
    import Foundation
    import HTTPTypes
    import MoyaCore
    import MoyaMockServer
    import MoyaOpenAPI
    import MoyaTestSupport
    import MoyaTesting
    import OpenAPIRuntime
    import Testing

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    /// Conversion of requests and responses. The cases of URLs, fields and bodies follow the tests
    /// of Apple's transport and of async-http-client's.
    @Suite(.timeLimit(.minutes(1))) struct OpenAPITransportTests {
        private let stubs = StubTransport { _ in
            TransportResponse(
                head: ResponseHead(
                    statusCode: 201, url: url("http://example.com"),
                    fields: [
                        HeaderField(name: "X-Mumble", value: "mumble"),
                        HeaderField(name: "Set-Cookie", value: "a=1"),
                        HeaderField(name: "Set-Cookie", value: "b=2"),
                    ]), body: .data(Data("👋".utf8)))
        }

        private func send(
            _ request: HTTPRequest, body: HTTPBody? = nil,
            to base: String = "http://example.com/api", timeoutInterval: TimeInterval? = nil
        ) async throws -> (HTTPResponse, HTTPBody?) {
            try await OpenAPITransport(stubs, timeoutInterval: timeoutInterval).send(
                request, body: body, baseURL: url(base), operationID: "postGreeting")
        }

        private func post(_ path: String?, _ fields: HTTPFields = [:]) -> HTTPRequest {
            HTTPRequest(
                method: .post, scheme: nil, authority: nil, path: path, headerFields: fields)
        }

        @Test func `the transport gets the method, URL, fields and body of the request`()
            async throws
        {
            let name = try #require(HTTPField.Name("X-Mumble"))
            _ = try await send(
                post("/hello%20world/Maria?greeting=Howdy", [name: "mumble"]), body: "👋",
                timeoutInterval: 3)
            let request = try #require(stubs.requests.first)
            #expect(
                request.urlRequest.url?.absoluteString
                    == "http://example.com/api/hello%20world/Maria?greeting=Howdy")
            #expect(request.urlRequest.httpMethod == "POST")
            #expect(request.urlRequest.allHTTPHeaderFields == ["X-Mumble": "mumble"])
            #expect(request.urlRequest.timeoutInterval == 3)
            #expect(request.context.name == "postGreeting")
            guard case .data(Data("👋".utf8)) = request.body else {
                Issue.record("The body is \(request.body).")
                return
            }
        }

        @Test func `the client gets the status, fields and body of the response`() async throws {
            let (response, body) = try await send(post("/"))
            #expect(response.status == .created)
            let fields = response.headerFields.map { "\($0.name.rawName): \($0.value)" }
            #expect(fields == ["X-Mumble: mumble", "Set-Cookie: a=1", "Set-Cookie: b=2"])
            let text = try await String(collecting: try #require(body), upTo: 10)
            #expect(text == "👋")
        }

        @Test(arguments: [
            ("http://example.com", "/a", "http://example.com/a"),
            ("http://example.com/v1", nil, "http://example.com/v1"),
            ("http://example.com/v1?key=1#top", "/a?b=c", "http://example.com/v1/a?b=c"),
            ("http://[::1]:8080/x%2Fy", "/%C3%BC?q=%26", "http://[::1]:8080/x%2Fy/%C3%BC?q=%26"),
        ])
        func `the path of an operation is appended to the server's URL`(
            base: String, path: String?, address: String
        ) async throws {
            _ = try await send(post(path), to: base)
            #expect(stubs.requests.first?.urlRequest.url?.absoluteString == address)
        }

        @Test(arguments: [".evil.test/a", "@evil.test/", ":81/"])
        func `a path that would change the server of the request fails it`(
            path: String
        ) async throws {
            let code = await urlErrorCode {
                try await send(post(path), to: "http://example.com")
            }
            #expect(code == .badURL)
            #expect(stubs.requests.isEmpty)
        }

        @Test func `a status code that HTTPTypes cannot hold fails the request`() async throws {
            let odd = StubTransport(.response(1000))
            let transport = OpenAPITransport(odd)
            #expect(
                await urlErrorCode {
                    try await transport.send(
                        post("/"), body: nil, baseURL: url("http://a.test"), operationID: "a")
                } == .badServerResponse)
        }

        @Test func `more header fields than HTTPTypes can hold do not end the process`()
            async throws
        {
            let many = StubTransport { _ in
                TransportResponse(
                    head: ResponseHead(
                        statusCode: 200, url: url("http://a.test"),
                        fields: (0..<70_000).map { HeaderField(name: "a", value: "\($0)") }))
            }
            let (response, _) = try await OpenAPITransport(many).send(
                post("/"), body: nil, baseURL: url("http://a.test"), operationID: "a")
            #expect(response.headerFields.count == 65_534)
        }

        @Test func `a short body that can be iterated again is sent from memory`() async throws {
            let chunks = AsyncStream<ArraySlice<UInt8>>.pieces(3)
            _ = try await send(
                post("/"),
                body: HTTPBody(chunks, length: .known(6), iterationBehavior: .multiple))
            guard case .data(let data) = stubs.requests.first?.body else {
                Issue.record("The body is not in memory.")
                return
            }
            #expect(data == Data([1, 2, 1, 2, 1, 2]))
        }

        @Test(arguments: [
            (HTTPBody.Length.known(6), IterationBehavior.single, 6 as Int64?),
            (.unknown, .single, nil), (.unknown, .multiple, nil),
            (.known(2 << 20), .multiple, 2 << 20),
        ])
        func `any other body is a stream with the length that is known`(
            length: HTTPBody.Length, iteration: IterationBehavior, expected: Int64?
        ) async throws {
            let seen = StubTransport { request in
                guard case .stream(let stream) = request.body else { throw URLError(.unknown) }
                #expect(stream.length == expected)
                #expect(stream.isReplayable == (iteration == .multiple))
                return TransportResponse(
                    head: ResponseHead(statusCode: 204, url: url("http://a.test")))
            }
            let body = HTTPBody(
                AsyncStream<ArraySlice<UInt8>>.pieces(3), length: length,
                iterationBehavior: iteration)
            let (_, none) = try await OpenAPITransport(seen).send(
                post("/"), body: body, baseURL: url("http://a.test"), operationID: "a")
            #expect(none == nil)
        }

        @Test func `a body in memory of another length than announced fails the request`()
            async throws
        {
            for length in [5 as Int64, 7] {
                let body = HTTPBody(
                    AsyncStream<ArraySlice<UInt8>>.pieces(3), length: .known(length),
                    iterationBehavior: .multiple)
                #expect(
                    await urlErrorCode { try await send(post("/"), body: body) }
                        == .requestBodyStreamExhausted)
            }
            #expect(stubs.requests.isEmpty)
        }

        @Test func `a chunk of the request body is produced when the transport asks for it`()
            async throws
        {
            let produced = Recorder<Int>()
            let reading = StubTransport { request in
                guard case .stream(let stream) = request.body else { throw URLError(.unknown) }
                var chunks = try stream.makeChunks().makeAsyncIterator()
                for expected in 1...3 {
                    _ = try await chunks.next()
                    #expect(produced.items.count == expected)
                }
                return TransportResponse(
                    head: ResponseHead(statusCode: 204, url: url("http://a.test")))
            }
            let counted = AsyncStream<ArraySlice<UInt8>>(unfolding: {
                produced.add(1)
                return [1, 2]
            })
            let body = HTTPBody(counted, length: .unknown, iterationBehavior: .single)
            _ = try await OpenAPITransport(reading).send(
                post("/"), body: body, baseURL: url("http://a.test"), operationID: "a")
        }

        @Test func `a streamed response holds back the server until its body is read`()
            async throws
        {
            let resumed = Recorder<Int>()
            let stopped = Recorder<Int>()
            let writer = ResponseBodyWriter(
                capacity: 4, resume: { resumed.add(1) }, stop: { stopped.add(1) })
            let streaming = StubTransport { _ in
                TransportResponse(
                    head: ResponseHead(
                        statusCode: 200, url: url("http://a.test"),
                        fields: [HeaderField(name: "Content-Encoding", value: "gzip")]),
                    body: .stream(ResponseBodyStream(writer)))
            }
            func offer(_ text: String) -> Bool {
                Array(text.utf8).withUnsafeBytes { writer.offer($0) }
            }
            var body = try await OpenAPITransport(streaming).send(
                post("/", [.accept: "text/plain"]), body: nil, baseURL: url("http://a.test"),
                operationID: "a"
            ).1
            #expect(offer("abcd"))
            #expect(!offer("e"))
            // The length of a decompressed body is not that of the message.
            #expect(body?.length == .unknown)
            var chunks = body?.makeAsyncIterator()
            let first = try await chunks?.next()
            #expect(first == Array("abcd".utf8)[...])
            #expect(resumed.items == [1])
            chunks = nil
            body = nil
            #expect(stopped.items == [1])
        }

        @Test(arguments: [
            ("application/json", false), ("application/json; q=0.5, application/x+json", false),
            ("application/problem+json,application/json", false), ("application/jsonl", true),
            ("text/event-stream, application/json", true), ("*/*", true), (nil, false),
        ])
        func `only the body of an operation that accepts more than JSON is streamed`(
            accept: String?, isStream: Bool
        ) async throws {
            var fields = HTTPFields()
            fields[.accept] = accept
            _ = try await send(post("/", fields))
            let request = try #require(stubs.requests.first)
            if case .stream = request.destination {
                #expect(isStream)
            } else {
                #expect(!isStream)
            }
        }

        @Test(arguments: Carried.allCases)
        func `a server that does not respond in time fails the operation`(
            kind: Carried
        ) async throws {
            let server = try MockServer { _ in .silence(then: .stall) }
            defer { server.stop() }
            let client = Client(
                serverURL: server.url,
                transport: OpenAPITransport(kind.transport, timeoutInterval: 0.2))
            let error = await #expect(throws: ClientError.self) { try await client.listPets() }
            #expect((error?.underlyingError as? URLError)?.code == .timedOut)
        }
    }

    extension AsyncStream<ArraySlice<UInt8>> {
        /// A stream of `count` chunks of two bytes.
        fileprivate static func pieces(_ count: Int) -> AsyncStream {
            AsyncStream { continuation in
                for _ in 0..<count { continuation.yield([1, 2]) }
                continuation.finish()
            }
        }
    }
#endif
