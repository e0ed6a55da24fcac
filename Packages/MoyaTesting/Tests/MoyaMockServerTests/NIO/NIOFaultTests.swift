#if MockServer
    import Foundation
    import MoyaCore
    import MoyaMockServer
    import MoyaTestSupport
    import MoyaTransportCurl
    import Testing

    @Suite struct NIOFaultTests {
        private static let endings: [MockFault.Action] = [.close, .reset, .garbage, .badChunk]

        @Test(arguments: Flavor.allCases, endings)
        func `a connection fault in any phase is an error, and the next request succeeds`(
            flavor: Flavor, action: MockFault.Action
        ) async throws {
            var phases: [MockFault.Phase] = [.requestStart, .requestBody, .responseStart]
            // libcurl 7 considers a body complete if invalid frames follow it.
            if !flavor.isHTTP2 || action == .close || action == .reset {
                phases += [.responseBody(after: 0), .responseBody(after: 3)]
            }
            let server = try flavor.server { _ in MockResponse(body: .chunked([Data("hello".utf8)]))
            }
            defer { server.stop() }
            for phase in phases {
                let client = try flavor.client(of: server)
                server.inject(MockFault(action, at: phase))
                await #expect(throws: URLError.self, "\(phase)") {
                    try await client.send(server.request("POST", body: Data("body".utf8)))
                }
                // The fault was injected once, so the next request succeeds.
                let again = try await client.send(server.request("GET", "/again"))
                #expect(again.text == "hello")
            }
        }

        @Test(arguments: [
            (MockFault.Action.garbage(Data("garbage".utf8)), Data("garbage".utf8)),
            (.badChunk, Data([0, 0, 1, 0, 0, 0, 0, 0, 0, 0])),
        ])
        func `invalid bytes are sent after the given length of the body`(
            action: MockFault.Action, end: Data
        ) async throws {
            let server = try NIOMockServer { _ in .text("hello") }
            defer { server.stop() }
            server.inject(MockFault(action, at: .responseBody(after: 3)))
            let received = try await RawClient.connected(to: server.port) { client in
                client.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
                // SETTINGS, and HEADERS with END_HEADERS and END_STREAM: GET / over http, from the
                // static table (RFC 7541, appendix A).
                client.send(Data([0, 0, 0, 4, 0, 0, 0, 0, 0]))
                client.send(Data([0, 0, 3, 1, 5, 0, 0, 0, 1, 0x82, 0x86, 0x84]))
                return try client.receiveAll()
            }
            let frame = Data([0, 0, 3, 0, 0, 0, 0, 0, 1]) + Data("hel".utf8)
            #expect(received.range(of: frame) != nil)
            #expect(received.suffix(end.count) == end)
        }

        @Test(arguments: Flavor.allCases)
        func `a body without its end is an error`(flavor: Flavor) async throws {
            let server = try flavor.server { _ in MockResponse(body: .chunked([Data("hello".utf8)]))
            }
            defer { server.stop() }
            let client = try flavor.client(of: server)
            server.inject(MockFault(.close, at: .responseEnd))
            await #expect(throws: URLError.self) { try await client.send(server.request()) }
        }

        @Test(arguments: Flavor.allCases)
        func `a truncated body with a longer announced length is an error`(
            flavor: Flavor
        ) async throws {
            let server = try flavor.server { _ in .text("hello") }
            defer { server.stop() }
            server.inject(MockFault(.truncate, at: .responseBody(after: 2)))
            let client = try flavor.client(of: server)
            await #expect(throws: URLError.self) { try await client.send(server.request()) }
        }

        @Test(arguments: Flavor.allCases, [MockFault.Phase.responseStart, .responseBody(after: 2)])
        func `a request to a stalled server times out`(
            flavor: Flavor, phase: MockFault.Phase
        ) async throws {
            let server = try flavor.server { _ in .text("hello") }
            defer { server.stop() }
            server.inject(MockFault(.stall, at: phase))
            let client = try flavor.client(of: server)
            let error = await #expect(throws: URLError.self) {
                try await client.send(server.request(timeout: 0.3))
            }
            #expect(error?.code == .timedOut)
        }

        @Test func `a half-closed connection ends the response and stays open`() async throws {
            let server = try NIOMockServer { _ in .text("hello") }
            defer { server.stop() }
            server.inject(MockFault(.halfClose, at: .responseBody(after: 2)))
            let (text, openCount) = try await RawClient.connected(to: server.port) { client in
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                let text = String(decoding: try client.receiveAll(), as: UTF8.self)
                return (text, server.openConnectionCount)
            }
            #expect(text.hasSuffix("\r\n\r\nhe"))
            #expect(openCount == 1)
            try await server.waitUntilDisconnected()
        }

        @Test func `a stream reset leaves the connection open for other streams`() async throws {
            let flavor = Flavor.http2OverTLS
            let server = try flavor.server { _ in MockResponse(body: .chunked([Data("hello".utf8)]))
            }
            defer { server.stop() }
            let client = try flavor.client(of: server)
            for phase in [
                MockFault.Phase.requestStart, .responseStart, .responseBody(after: 2), .responseEnd,
            ] {
                server.inject(MockFault(.resetStream(), at: phase))
                await #expect(throws: URLError.self, "\(phase)") {
                    try await client.send(server.request())
                }
                #expect(try await client.send(server.request()).text == "hello")
            }
            #expect(server.connectionCount == 1)
        }

        @Test(arguments: Flavor.http2Flavors)
        func `a GOAWAY lets a request in progress finish, and the next uses another connection`(
            flavor: Flavor
        ) async throws {
            let server = try flavor.server { _ in .text("hello") }
            defer { server.stop() }
            let client = try flavor.client(of: server)
            server.inject(MockFault(.goAway(), at: .responseBody(after: 2)))
            #expect(try await client.send(server.request()).text == "hello")
            #expect(try await client.send(server.request()).text == "hello")
            #expect(server.connectionCount == 2)
        }

        @Test(
            arguments: Flavor.tlsFlavors,
            [
                MockFault.Action.failHandshake, .close, .reset, .garbage,
            ])
        func `a failed TLS handshake is an error, and the next handshake succeeds`(
            flavor: Flavor, action: MockFault.Action
        ) async throws {
            let server = try flavor.server { _ in .text("hello") }
            defer { server.stop() }
            server.inject(MockFault(action, at: .handshake))
            let client = try flavor.client(of: server)
            let error = await #expect(throws: URLError.self) {
                try await client.send(server.request())
            }
            #expect([.secureConnectionFailed, .networkConnectionLost].contains(error?.code))
            #expect(server.requests.isEmpty)
            #expect(try await client.send(server.request()).text == "hello")
        }

        @Test func `a fault applies to matching requests and as often as given`() async throws {
            let server = try NIOMockServer { _ in .text("hello") }
            defer { server.stop() }
            let client = try Flavor.http1.client(of: server)
            server.inject(MockFault(.truncate, at: .responseBody(after: 1)), times: 2) {
                $0.path == "/bad"
            }
            #expect(try await client.send(server.request("GET", "/good")).text == "hello")
            for _ in 0..<2 {
                await #expect(throws: URLError.self) {
                    try await client.send(server.request("GET", "/bad"))
                }
            }
            #expect(try await client.send(server.request("GET", "/bad")).text == "hello")
        }
    }
#endif
