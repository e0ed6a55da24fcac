import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import MoyaTesting
import Testing

@Suite struct MockServerTests {
    @Test func `a handler receives a raw client's request, and the client its response`()
        async throws
    {
        let server = try MockServer { request in
            .text("\(request.method) \(request.path) \(request.body.count)")
        }
        defer { server.stop() }
        let answer = try await RawClient.exchange(
            "POST /a%20b?q=1 HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc", with: server)
        #expect(
            answer == """
                HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r
                Content-Length: 11\r\n\r\nPOST /a b 3
                """)
        let request = try #require(server.requests.first)
        #expect(request.target == "/a%20b?q=1")
        #expect(request.queryItems == [URLQueryItem(name: "q", value: "1")])
        #expect(request.value(for: "HOST") == "x")
        #expect(request.body == Data("abc".utf8))
        #expect(request.bodyLength == 3)
        #expect(request.connectionID == 1)
        #expect(server.url.absoluteString == "http://127.0.0.1:\(server.port)")
    }

    @Test func `a connection is kept for several requests`() async throws {
        let server = try MockServer { request in .text(request.path) }
        defer { server.stop() }
        let answer = try await RawClient.exchange(
            "GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\n\r\n", with: server)
        #expect(answer.contains("/1HTTP/1.1 200"))
        #expect(answer.hasSuffix("/2"))
        #expect(server.connectionCount == 1)
        #expect(server.requests.map(\.connectionID) == [1, 1])
    }

    @Test func `a server closes the connection after a request with Connection close`() async throws
    {
        let server = try MockServer { _ in .text("x") }
        defer { server.stop() }
        let answer = try await RawClient.connected(to: server.port) { client in
            client.send("GET / HTTP/1.1\r\nConnection: Close\r\n\r\n")
            return String(decoding: try client.receiveAll(), as: UTF8.self)
        }
        #expect(answer.contains("\r\nConnection: close\r\n"))
        #expect(answer.hasSuffix("\r\n\r\nx"))
    }

    @Test func `a server closes the connection after an HTTP/1.0 request`() async throws {
        let server = try MockServer { _ in .text("x") }
        defer { server.stop() }
        let answer = try await RawClient.connected(to: server.port) { client in
            client.send("GET / HTTP/1.0\r\n\r\n")
            return String(decoding: try client.receiveAll(), as: UTF8.self)
        }
        #expect(answer.contains("\r\nConnection: close\r\n"))
    }

    @Test func `chunked request bodies are decoded`() async throws {
        let server = try MockServer { request in
            .text(String(decoding: request.body, as: UTF8.self))
        }
        defer { server.stop() }
        let answer = try await RawClient.exchange(
            "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "5;x=y\r\nhello\r\n6\r\n world\r\n0\r\nT: 1\r\n\r\n",
            with: server)
        #expect(answer.hasSuffix("hello world"))
    }

    @Test func `a request that arrives byte by byte is read`() async throws {
        let server = try MockServer { request in .text("\(request.bodyLength)") }
        defer { server.stop() }
        let answer = try await RawClient.connected(to: server.port) { client in
            let bytes = Data("PUT / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc".utf8)
            for byte in bytes { client.send(Data([byte])) }
            client.endSending()
            return String(decoding: try client.receiveAll(), as: UTF8.self)
        }
        #expect(answer.hasSuffix("\r\n\r\n3"))
    }

    @Test func `a server sends 100 Continue before it reads an expecting body`() async throws {
        let server = try MockServer { request in .text("\(request.body.count)") }
        defer { server.stop() }
        let answer = try await RawClient.connected(to: server.port) { client in
            client.send("PUT / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
            let invitation = try client.receive(until: "\r\n\r\n")
            client.send("ab")
            client.endSending()
            return invitation + String(decoding: try client.receiveAll(), as: UTF8.self)
        }
        #expect(answer.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200"))
        #expect(answer.hasSuffix("\r\n\r\n2"))
    }

    @Test func `a response to HEAD has a length and no body`() async throws {
        let server = try MockServer { _ in .text("body") }
        defer { server.stop() }
        let answer = try await RawClient.exchange("HEAD / HTTP/1.1\r\n\r\n", with: server)
        #expect(answer.contains("Content-Length: 4"))
        #expect(!answer.contains("body"))
    }

    @Test func `a 204 response has no Content-Length`() async throws {
        let server = try MockServer { _ in MockResponse(status: 204) }
        defer { server.stop() }
        let answer = try await RawClient.exchange("GET / HTTP/1.1\r\n\r\n", with: server)
        #expect(answer == "HTTP/1.1 204 No Content\r\n\r\n")
    }

    @Test func `a large body reaches the handler, and only its length is recorded`() async throws {
        let server = try MockServer { request in .text("\(request.body.count)") }
        defer { server.stop() }
        let count = (1 << 20) + 1
        let answer = try await RawClient.exchange(
            "PUT / HTTP/1.1\r\nContent-Length: \(count)\r\n\r\n"
                + String(repeating: "x", count: count), with: server)
        #expect(answer.hasSuffix("\r\n\r\n\(count)"))
        let request = try #require(server.requests.first)
        #expect(request.body.isEmpty)
        #expect(request.bodyLength == count)
    }

    @Test func `MockServer serves connections concurrently`() async throws {
        let bothAreHere = DispatchGroup()
        bothAreHere.enter()
        bothAreHere.enter()
        let server = try MockServer { request in
            bothAreHere.leave()
            let areBothHere = bothAreHere.wait(timeout: .now() + 60) == .success
            return .text(areBothHere ? request.path : "alone")
        }
        defer { server.stop() }
        async let first = RawClient.exchange("GET /1 HTTP/1.1\r\n\r\n", with: server)
        async let second = RawClient.exchange("GET /2 HTTP/1.1\r\n\r\n", with: server)
        #expect(try await first.hasSuffix("/1"))
        #expect(try await second.hasSuffix("/2"))
        #expect(server.connectionCount == 2)
    }
}
