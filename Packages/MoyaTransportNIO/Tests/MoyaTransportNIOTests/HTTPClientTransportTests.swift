#if AsyncHTTPClient
    import AsyncHTTPClient
    import Dispatch
    import MoyaCore
    import MoyaMockServer
    import MoyaTransportNIO
    import NIOConcurrencyHelpers
    import NIOCore
    import Testing

    @Suite(.timeLimit(.minutes(1))) struct HTTPClientTransportTests {
        private func code(_ body: () async throws -> TransportResponse) async -> URLError.Code? {
            do {
                _ = try await body()
                return nil
            } catch { return (error as? URLError)?.code }
        }

        private func request(_ server: MockServer, _ method: String = "GET") -> TransportRequest {
            var request = URLRequest(url: server.url)
            request.httpMethod = method
            return TransportRequest(request)
        }

        // MARK: Clients

        @Test func `shutdown cancels active requests and later requests`() async throws {
            let server = try MockServer { _ in .silence(then: .stall) }
            defer { server.stop() }
            let transport: any ClosableTransport = HTTPClientTransport()
            let request = request(server)
            let waiting = Task { try await transport.send(request) }
            _ = try await server.waitForRequests(1)
            await transport.shutdown()
            #expect(await code { try await waiting.value } == .cancelled)
            #expect(await code { try await transport.send(request) } == .cancelled)
            await transport.shutdown(draining: 1)
        }

        @Test func `a shared client works after the shutdown of its transport`() async throws {
            let server = try MockServer()
            defer { server.stop() }
            let client = HTTPClient(configuration: HTTPClientTransport.defaultConfiguration)
            let transport = HTTPClientTransport(sharing: client)
            await transport.shutdown()
            #expect(try await transport.send(request(server)).head.statusCode == 404)
            try await client.shutdown()
        }

        @Test func `a redirect that a shared client follows itself fails the request`() async throws
        {
            let server = try MockServer { request in
                request.path == "/" ? .redirect(to: "/next") : .text("here")
            }
            defer { server.stop() }
            let client = HTTPClient()
            let transport = HTTPClientTransport(sharing: client)
            let request = request(server)
            #expect(
                await code { try await transport.send(request) } == .redirectToNonExistentLocation)
            try await client.shutdown()
        }

        @Test func `a configured proxy tunnels the request`() async throws {
            let proxy = try MockServer { _ in .text("from the proxy") }
            defer { proxy.stop() }
            var configuration = HTTPClientTransport.defaultConfiguration
            configuration.proxy = .server(host: "127.0.0.1", port: proxy.port)
            let transport = HTTPClientTransport(configuration: configuration)
            let url = try #require(URL(string: "http://origin.invalid/a?b"))
            _ = try await transport.send(TransportRequest(URLRequest(url: url)))
            #expect(proxy.requests.map(\.target) == ["origin.invalid:80", "/a?b"])
        }

        // MARK: Requests

        @Test(arguments: [("GET", 2), ("PUT", 2), ("POST", 1)])
        func
            `only an idempotent request is sent again after its connection closes without a response`(
                method: String, count: Int
            ) async throws
        {
            let server = try MockServer { _ in .text("again") }
            defer { server.stop() }
            server.enqueue(.silence(then: .close))
            let transport = HTTPClientTransport()
            let request = request(server, method)
            let code = await code { try await transport.send(request) }
            #expect(code == (count == 2 ? nil : .networkConnectionLost))
            #expect(server.requests.count == count)
        }

        @Test func `a request body that fails after its attempt does not fail the next attempt`()
            async throws
        {
            let (secondAttempt, begin) = AsyncStream.makeStream(of: Void.self)
            let hasFailed = DispatchSemaphore(value: 0)
            let connections = NIOLockedValueBox(0)
            let server = try RawServer { connection in
                let number = connections.withLockedValue { count in
                    count += 1
                    return count
                }
                if number == 1 {
                    _ = connection.read(until: "first")
                    return
                }
                _ = connection.read(until: "0\r\n\r\n")
                begin.yield()
                hasFailed.wait()
                // The client observes the failure some time later, and must continue. It does not
                // report that it has.
                usleep(200_000)
                connection.write("HTTP/1.1 204 No Content\r\n\r\n")
            }
            defer { server.stop() }
            let opened = NIOLockedValueBox(0)
            let body = RequestBodyStream {
                let number = opened.withLockedValue { count in
                    count += 1
                    return count
                }
                let piece = NIOLockedValueBox<Data?>(Data((number == 1 ? "first" : "whole").utf8))
                return AsyncThrowingStream<Data, any Error> {
                    let next = piece.withLockedValue { piece in
                        defer { piece = nil }
                        return piece
                    }
                    if next != nil || number > 1 { return next }
                    for await _ in secondAttempt { break }
                    hasFailed.signal()
                    throw URLError(.cannotOpenFile)
                }
            }
            var urlRequest = URLRequest(url: server.url)
            urlRequest.httpMethod = "PUT"
            let request = TransportRequest(urlRequest, body: .stream(body))
            let response = try await HTTPClientTransport().send(request)
            #expect(response.head.statusCode == 204)
        }

        @Test func `a request that is repeated reads its body again after it has stopped reading`()
            async throws
        {
            let connections = NIOLockedValueBox(0)
            let server = try RawServer { connection in
                let number = connections.withLockedValue { count in
                    count += 1
                    return count
                }
                _ = connection.read(until: number == 1 ? "first" : "0\r\n\r\n")
                if number > 1 { connection.write("HTTP/1.1 204 No Content\r\n\r\n") }
            }
            defer { server.stop() }
            let events = NIOLockedValueBox<[String]>([])
            let body = RequestBodyStream {
                let isFirst = events.withLockedValue { events in
                    events.append("opened")
                    return events.count == 1
                }
                let piece = NIOLockedValueBox<Data?>(Data((isFirst ? "first" : "whole").utf8))
                return AsyncThrowingStream<Data, any Error> {
                    let next = piece.withLockedValue { piece in
                        defer { piece = nil }
                        return piece
                    }
                    if next != nil || !isFirst { return next }
                    try await withTaskCancellationHandler {
                        try await Task.sleep(for: .seconds(600))
                    } onCancel: {
                        events.withLockedValue { $0.append("stopped") }
                    }
                    return nil
                }
            }
            var urlRequest = URLRequest(url: server.url)
            urlRequest.httpMethod = "PUT"
            let request = TransportRequest(urlRequest, body: .stream(body))
            let response = try await HTTPClientTransport().send(request)
            #expect(response.head.statusCode == 204)
            #expect(events.withLockedValue { $0 } == ["opened", "stopped", "opened"])
        }

        @Test(arguments: [0, 1, 65_536, 65_537, 1_000_000])
        func `a request body in memory arrives whole with its progress`(count: Int) async throws {
            let server = try MockServer()
            defer { server.stop() }
            let sent = NIOLockedValueBox<Int64>(0)
            var request = request(server, "POST")
            let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            request.body = .data(data)
            request.progress = { progress in sent.withLockedValue { $0 = progress.bytesSent } }
            let transport = HTTPClientTransport()
            _ = try await transport.send(request)
            #expect(server.requests.first?.body == data)
            #expect(sent.withLockedValue { $0 } == count)
        }

        @Test func `a request of a cancelled task opens no connection`() async throws {
            let server = try MockServer()
            defer { server.stop() }
            let request = request(server)
            let transport = HTTPClientTransport()
            let sending = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await transport.send(request)
            }
            #expect(await code { try await sending.value } == .cancelled)
            #expect(server.connectionCount == 0)
        }

        @Test func `a request body with trailers is refused before anything is sent`() async throws
        {
            let server = try MockServer()
            defer { server.stop() }
            var stream = RequestBodyStream { AsyncStream<Data> { $0.finish() } }
            stream.trailers = { [] }
            var request = request(server, "POST")
            request.body = .stream(stream)
            let transport = HTTPClientTransport()
            let code = await code { [request] in try await transport.send(request) }
            #expect(code == .unsupportedURL)
            #expect(server.connectionCount == 0)
        }

        @Test func `a request body is read only as fast as the server receives it`() async throws {
            let gate = DispatchSemaphore(value: 0)
            let server = try RawServer { connection in
                _ = connection.read(until: "\r\n\r\n")
                gate.wait()
            }
            defer { server.stop() }
            defer { gate.signal() }
            let produced = NIOLockedValueBox(0)
            let body = RequestBodyStream(length: 1 << 30) {
                AsyncStream<Data> {
                    produced.withLockedValue { $0 += 1 << 20 }
                    return Data(count: 1 << 20)
                }
            }
            var urlRequest = URLRequest(url: server.url, timeoutInterval: 1)
            urlRequest.httpMethod = "PUT"
            let request = TransportRequest(urlRequest, body: .stream(body))
            // No bytes move once the buffers of both sockets are full.
            #expect(await code { try await HTTPClientTransport().send(request) } == .timedOut)
            #expect(produced.withLockedValue { $0 } < 64 << 20)
        }

        @Test func `cancelling a request ends the wait for the next chunk of its body`()
            async throws
        {
            let server = try MockServer()
            defer { server.stop() }
            let (begun, begin) = AsyncStream<Void>.makeStream()
            let (ended, end) = AsyncStream<Void>.makeStream()
            var request = request(server, "POST")
            request.body = .stream(
                RequestBodyStream {
                    AsyncStream<Data> { pieces in
                        pieces.onTermination = { _ in end.finish() }
                        pieces.yield(Data("begun".utf8))
                        begin.finish()
                    }
                })
            let transport = HTTPClientTransport()
            let task = Task { [request] in try await transport.send(request) }
            for await _ in begun {}
            task.cancel()
            #expect(await code { try await task.value } == .cancelled)
            for await _ in ended {}
        }

        // MARK: Responses

        @Test func `a streamed response is received only as fast as it is read`() async throws {
            let sent = NIOLockedValueBox(0)
            let server = try RawServer { connection in
                _ = connection.read(until: "\r\n\r\n")
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n")
                while sent.withLockedValue({ $0 }) < 100_000_000 {
                    guard connection.write(Data(count: 1_000_000)) else { return }
                    sent.withLockedValue { $0 += 1_000_000 }
                }
            }
            defer { server.stop() }
            let transport = HTTPClientTransport()
            let response = try await transport.send(
                TransportRequest(URLRequest(url: server.url), destination: .stream))
            guard case .stream(let stream) = response.body else {
                Issue.record("The body is no stream: \(response.body)")
                return
            }
            // Nothing is read until the server can send no more for a while. The server cannot
            // report that its write is blocked.
            var before = 0
            while before == 0 || before != sent.withLockedValue({ $0 }) {
                before = sent.withLockedValue { $0 }
                try await Task.sleep(for: .milliseconds(300))
            }
            // The buffers of both sockets hold some 10 MB.
            #expect(before < 50_000_000)
            var read = 0
            for try await chunk in stream { read += chunk.count }
            #expect(read == 100_000_000)
        }

        @Test func `a streamed body outlives its transport`() async throws {
            let server = try MockServer()
            defer { server.stop() }
            let url = try #require(URL(string: "/bytes/3000000", relativeTo: server.url))
            let response = try await HTTPClientTransport().send(
                TransportRequest(URLRequest(url: url.absoluteURL), destination: .stream))
            guard case .stream(let stream) = response.body else {
                Issue.record("The body is no stream: \(response.body)")
                return
            }
            #expect(try await stream.collect(upTo: 3_000_000).count == 3_000_000)
        }

        @Test func `the endless body of a followed redirect is not read to its end`() async throws {
            let server = try MockServer { request in
                guard request.path == "/" else { return .text("here") }
                return MockResponse(
                    status: 302, headers: [HeaderField(name: "Location", value: "/next")],
                    body: .pattern(byteCount: 1 << 40))
            }
            defer { server.stop() }
            let response = try await HTTPClientTransport().send(request(server))
            #expect(response.head.url.path == "/next")
        }
    }
#endif
