import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import Testing

@Suite struct MockServerFaultTests {
    private func answer(
        _ response: MockResponse, to request: String = "GET / HTTP/1.1\r\n\r\n"
    ) async throws -> String {
        let server = try MockServer { _ in response }
        defer { server.stop() }
        return try await RawClient.connected(to: server.port) { client in
            client.send(request)
            return String(decoding: try client.receiveAll(), as: UTF8.self)
        }
    }

    @Test func `a truncated response ends after the given number of bytes`() async throws {
        let answer = try await answer(
            MockResponse(body: .pattern(byteCount: 1000)).truncated(after: 10))
        #expect(answer.contains("Content-Length: 1000"))
        #expect(!answer.contains("Connection: close"))
        #expect(answer.components(separatedBy: "\r\n\r\n").last?.utf8.count == 10)
    }

    @Test func `a truncated chunked response ends within a chunk`() async throws {
        let answer = try await answer(
            MockResponse(body: .chunked([Data("abc".utf8), Data("def".utf8)])).truncated(after: 4))
        #expect(answer.hasSuffix("\r\n\r\n3\r\nabc\r\n1\r\nd\r\n"))
    }

    @Test func `a response without a length ends with the connection`() async throws {
        let answer = try await answer(MockResponse(body: .untilClose(Data("abc".utf8))))
        #expect(answer == "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nabc")
        let empty = try await self.answer(MockResponse(body: .none))
        #expect(empty == "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
    }

    @Test func `a raw response is sent byte for byte`() async throws {
        #expect(try await answer(.raw(Data("SSH-2.0".utf8))) == "SSH-2.0")
        #expect(try await answer(.silence(then: .close)) == "")
    }

    @Test func `a Content-Length set by the handler is kept`() async throws {
        let answer = try await answer(
            .text("abc").adding("content-length", "7").ending(.close))
        #expect(answer.contains("content-length: 7\r\n"))
        #expect(!answer.contains("Content-Length"))
        #expect(answer.hasSuffix("\r\n\r\nabc"))
    }

    @Test func `a reason phrase set by the handler is sent`() async throws {
        let response = MockResponse(status: 299, reason: "So So").ending(.close)
        #expect(try await answer(response).hasPrefix("HTTP/1.1 299 So So\r\n"))
    }

    @Test func `a reset response resets the connection`() async throws {
        await #expect(throws: RawClient.Failure.reset) {
            try await answer(.silence(then: .reset))
        }
    }

    @Test func `a half-closed connection stays open until the client closes its side`() async throws
    {
        let server = try MockServer { _ in .text("x").ending(.halfClose) }
        defer { server.stop() }
        let isStillOpen = try await RawClient.connected(to: server.port) { client in
            client.send("GET / HTTP/1.1\r\n\r\n")
            let answer = String(decoding: try client.receiveAll(), as: UTF8.self)
            return answer.hasSuffix("x") && server.openConnectionCount == 1
        }
        #expect(isStillOpen)
        try await server.waitUntilDisconnected()
    }

    @Test func `a chunked response pauses between its pieces`() async throws {
        let server = try MockServer { _ in
            MockResponse(body: .chunked([Data("a".utf8), Data("b".utf8)], interval: 1000))
        }
        defer { server.stop() }
        let first = try await RawClient.connected(to: server.port) { client in
            client.send("GET / HTTP/1.1\r\n\r\n")
            return try client.receive(until: "1\r\na\r\n")
        }
        #expect(first.contains("Transfer-Encoding: chunked"))
        #expect(first.hasSuffix("\r\n\r\n1\r\na\r\n"))
        // A client that disconnects during a pause ends the pause.
        try await server.waitUntilDisconnected()
    }

    @Test(arguments: [
        "nonsense\r\n\r\n", "\r\n\r\n", "GET / HTTP/2\r\n\r\n",
        "GET / HTTP/1.1\r\nno colon\r\n\r\n",
        "PUT / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        "PUT / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
        "PUT / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n",
        "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\nhello\r\n0\r\n\r\n",
        "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello!!\r\n0\r\n\r\n",
    ])
    func `a request that is not HTTP is disconnected without a response`(request: String)
        async throws
    {
        let server = try MockServer()
        defer { server.stop() }
        do {
            #expect(try await RawClient.exchange(request, with: server) == "")
        } catch RawClient.Failure.reset {
            // The server has left bytes unread.
        }
        #expect(server.requests.isEmpty)
    }

    @Test func `a request with more than 64 KiB of header fields is refused`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let answer = try await RawClient.exchange(
            "GET / HTTP/1.1\r\nX: \(String(repeating: "x", count: 70_000))\r\n\r\n", with: server)
        #expect(answer.hasPrefix("HTTP/1.1 431 "))
        #expect(server.requests.isEmpty)
    }

    @Test func `a request body of more than a gigabyte is refused before it has arrived`()
        async throws
    {
        let server = try MockServer()
        defer { server.stop() }
        let answer = try await RawClient.exchange(
            "PUT / HTTP/1.1\r\nContent-Length: 9000000000000000000\r\n\r\n", with: server)
        #expect(answer.hasPrefix("HTTP/1.1 413 "))
    }

    /// Foundation decodes up to 512 levels.
    @Test(arguments: [112, 510, 100_000])
    func `a request with nested JSON is answered by the httpbin routes`(depth: Int) async throws {
        let server = try MockServer()
        defer { server.stop() }
        let body = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let answer = try await RawClient.exchange(
            "POST /post HTTP/1.1\r\nConnection: close\r\nContent-Length: \(2 * depth)\r\n\r\n\(body)",
            with: server)
        #expect(answer.hasPrefix("HTTP/1.1 200 "))
        #expect(answer.contains("\"bodyLength\":\(2 * depth)"))
    }

    @Test func `a truncated request body is not recorded as a request`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let answer = try await RawClient.exchange(
            "PUT / HTTP/1.1\r\nContent-Length: 1000000000\r\n\r\nabc", with: server)
        #expect(answer == "")
        #expect(server.requests.isEmpty)
    }
}
