#if MockServer
    import Foundation
    import MoyaCore
    import MoyaTestSupport
    import MoyaTransportCurl
    import Testing

    @testable import MoyaMockServer

    @Suite struct NIOMockServerTests {
        @Test(arguments: Flavor.allCases)
        func `the httpbin routes answer in every HTTP version`(flavor: Flavor) async throws {
            let server = try flavor.server()
            defer { server.stop() }
            let client = try flavor.client(of: server)
            let body = Data((0..<300_000).map { UInt8($0 & 255) })
            let response = try await client.send(
                server.request("POST", "/upload?a=b", headers: ["X-Test": "1"], body: body))
            let receipt = try JSONDecoder().decode(UploadReceipt.self, from: response.bytes)
            #expect(response.head.statusCode == 200)
            #expect(receipt.bodyLength == body.count)
            #expect(response.metrics.protocolName == (flavor.isHTTP2 ? "h2" : "http/1.1"))
            let request = try #require(server.requests.first)
            #expect(request.method == "POST")
            #expect(request.target == "/upload?a=b")
            #expect(request.value(for: "x-test") == "1")
            #expect(request.value(for: "Host") == "\(server.url.host ?? ""):\(server.port)")
            #expect(request.body == body)
            #expect(request.protocolName == (flavor.isHTTP2 ? "h2" : "http/1.1"))
        }

        @Test(arguments: Flavor.allCases)
        func `a request body of more than a gigabyte is refused before it has arrived`(
            flavor: Flavor
        ) async throws {
            let server = try flavor.server()
            defer { server.stop() }
            let length: Int64 = 2 << 30
            let stream = RequestBodyStream(length: length) {
                AsyncStream { chunks in chunks.yield(Data(count: 1000)) }
            }
            var request = try server.request("PUT", "/upload")
            request = TransportRequest(request.urlRequest, body: .stream(stream))
            let response = try await flavor.client(of: server).send(request)
            #expect(response.head.statusCode == 413)
            #expect(server.requests.isEmpty)
        }

        @Test(arguments: Flavor.allCases)
        func `response bodies of every kind are sent in every HTTP version`(flavor: Flavor)
            async throws
        {
            let server = try flavor.server()
            defer { server.stop() }
            let client = try flavor.client(of: server)
            server.enqueue(
                MockResponse(body: .pattern(byteCount: 600_000)),
                MockResponse(body: .chunked([Data("a".utf8), Data(), Data("bc".utf8)])),
                MockResponse(body: .untilClose(Data("till the end".utf8))),
                MockResponse(status: 204, body: .none), .text("compressed").compressed(.gzip),
                MockResponse.text("slow").throttled(to: 1000).delayed(by: 0.01))
            let large = try await client.send(server.request()).bytes
            #expect(large.count == 600_000)
            #expect(
                large.enumerated().allSatisfy { $0.element == UInt8(truncatingIfNeeded: $0.offset) }
            )
            #expect(try await client.send(server.request()).text == "abc")
            #expect(try await client.send(server.request()).text == "till the end")
            #expect(try await client.send(server.request()).head.statusCode == 204)
            #expect(try await client.send(server.request()).text == "compressed")
            #expect(try await client.send(server.request()).text == "slow")
            #expect(server.enqueuedCount == 0)
            #expect(try await client.send(server.request("HEAD", "/get")).bytes == Data())
            #expect(try await client.send(server.request("GET", "/get")).head.statusCode == 200)
        }

        @Test(arguments: Flavor.allCases)
        func `informational responses and trailers are sent in every HTTP version`(flavor: Flavor)
            async throws
        {
            let server = try flavor.server()
            defer { server.stop() }
            let client = try flavor.client(of: server)
            server.enqueue(
                .text("hello")
                    .preceded(by: 103, headers: [HeaderField(name: "Link", value: "</x>")])
                    .addingTrailer("X-Checksum", "abc"))
            let response = try await client.send(server.request())
            #expect(response.text == "hello")
            #expect(response.head.value(for: "Link") == nil)
            #expect(response.trailers.map(\.value) == ["abc"])
        }

        @Test(arguments: Flavor.reusing)
        func `a connection is kept for the next request in every HTTP version`(flavor: Flavor)
            async throws
        {
            let server = try flavor.server()
            defer { server.stop() }
            let client = try flavor.client(of: server)
            for _ in 0..<5 { _ = try await client.send(server.request("GET", "/get")) }
            #expect(server.connectionCount == 1)
            #expect(Set(server.requests.map(\.connectionID)) == [1])
            client.shutdown()
            try await server.waitUntilDisconnected()
            #expect(server.openConnectionCount == 0)
        }

        @Test func `streams of one connection are served concurrently`() async throws {
            let flavor = Flavor.http2OverTLS
            // No handler returns before all eight have started.
            let group = DispatchGroup()
            for _ in 0..<8 { group.enter() }
            let end = DispatchTime.now() + 60
            let server = try flavor.server { request in
                group.leave()
                return .text(group.wait(timeout: end) == .success ? request.path : "alone")
            }
            defer { server.stop() }
            let client = try flavor.client(of: server)
            // This request opens the connection and is answered immediately.
            server.enqueue(.text("first"))
            _ = try await client.send(server.request())
            let texts = try await withThrowingTaskGroup(of: String.self) { group in
                for index in 0..<8 {
                    group.addTask { try await client.send(server.request("GET", "/\(index)")).text }
                }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(texts.count == 8)
            #expect(server.connectionCount == 1)
        }

        @Test(arguments: Flavor.allCases)
        func `a server sends 100 Continue in every HTTP version`(flavor: Flavor) async throws {
            let server = try flavor.server()
            defer { server.stop() }
            let response = try await flavor.client(of: server).send(
                server.request(
                    "PUT", "/upload", headers: ["Expect": "100-continue"],
                    body: Data(count: 2000)))
            #expect(response.head.statusCode == 200)
            #expect(server.requests.first?.bodyLength == 2000)
        }

        @Test func `pipelined requests are answered in order`() async throws {
            let server = try NIOMockServer { .text($0.path) }
            defer { server.stop() }
            let text = try await RawClient.connected(to: server.port) { client in
                client.send(
                    "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n"
                        + "GET /2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                return String(decoding: try client.receiveAll(), as: UTF8.self)
            }
            let first = try #require(text.range(of: "/1"))
            let second = try #require(text.range(of: "/2"))
            #expect(first.lowerBound < second.lowerBound)
        }

        @Test func `a server speaks only its configured protocols`() async throws {
            let server = try NIOMockServer(.init(protocols: .http1, tls: .init()))
            defer { server.stop() }
            let response = try await Flavor.http2OverTLS.client(of: server).send(server.request())
            #expect(response.metrics.protocolName == "http/1.1")

            let clear = try NIOMockServer(.init(protocols: .http2))
            defer { clear.stop() }
            await #expect(throws: URLError.self) {
                try await Flavor.http1.client(of: clear).send(clear.request())
            }
        }

        @Test(arguments: Flavor.allCases)
        func `a stopped server is released, whatever was in progress`(flavor: Flavor) async throws {
            weak var core: NIOServerCore?
            do {
                let server = try flavor.server { _ in .text("hello") }
                core = server.core
                let client = try flavor.client(of: server)
                _ = try await client.send(server.request())
                server.inject(MockFault(.stall, at: .responseBody(after: 2)))
                await #expect(throws: URLError.self) {
                    try await client.send(server.request(timeout: 0.2))
                }
                server.stop()
            }
            // The event loop releases the last reference shortly after the server has stopped.
            try await until { core == nil }
        }

        @Test func `a stopped server frees its port`() async throws {
            let isRefused = try await RawClient.isRefused {
                let server = try NIOMockServer()
                let client = try Flavor.http1.client(of: server)
                _ = try await client.send(server.request("GET", "/get"))
                server.stop()
                server.stop()
                return server.port
            }
            #expect(isRefused)
        }
    }
#endif
