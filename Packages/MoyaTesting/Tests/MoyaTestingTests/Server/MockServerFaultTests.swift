import Foundation
import MoyaCore
import MoyaTesting
import Testing

@Suite("What MockServer does to clients") struct MockServerFaultTests {
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

    @Test func `cuts a body off where it is told to`() async throws {
        let answer = try await answer(
            MockResponse(body: .pattern(byteCount: 1000)).truncated(after: 10))
        #expect(answer.contains("Content-Length: 1000"))
        #expect(!answer.contains("Connection: close"))
        #expect(answer.components(separatedBy: "\r\n\r\n").last?.utf8.count == 10)
    }

    @Test func `cuts a chunked body off in the midst of a chunk`() async throws {
        let answer = try await answer(
            MockResponse(body: .chunked([Data("abc".utf8), Data("def".utf8)])).truncated(after: 4))
        #expect(answer.hasSuffix("\r\n\r\n3\r\nabc\r\n1\r\nd\r\n"))
    }

    @Test func `a body of no told length ends with the connection`() async throws {
        let answer = try await answer(MockResponse(body: .untilClose(Data("abc".utf8))))
        #expect(answer == "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nabc")
        let empty = try await self.answer(MockResponse(body: .none))
        #expect(empty == "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
    }

    @Test func `sends the bytes it is told to`() async throws {
        #expect(try await answer(.raw(Data("SSH-2.0".utf8))) == "SSH-2.0")
        #expect(try await answer(.silence(then: .close)) == "")
    }

    @Test func `keeps a length that the handler tells`() async throws {
        let answer = try await answer(
            .text("abc").adding("content-length", "7").ending(.close))
        #expect(answer.contains("content-length: 7\r\n"))
        #expect(!answer.contains("Content-Length"))
        #expect(answer.hasSuffix("\r\n\r\nabc"))
    }

    @Test func `takes a reason phrase of the handler's own`() async throws {
        let response = MockResponse(status: 299, reason: "So So").ending(.close)
        #expect(try await answer(response).hasPrefix("HTTP/1.1 299 So So\r\n"))
    }

    @Test func `resets connections`() async throws {
        await #expect(throws: RawClient.Failure.reset) {
            try await answer(.silence(then: .reset))
        }
    }

    @Test func `closes its half and waits for the client to close the other`() async throws {
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

    @Test func `pauses between the pieces of a body`() async throws {
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
        // A client that leaves in a pause ends it.
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
    func `what is no HTTP is hung up on`(request: String) async throws {
        let server = try MockServer()
        defer { server.stop() }
        let answer = try? await RawClient.exchange(request, with: server)
        // Where bytes are left unread, the end is a reset.
        #expect(answer ?? "" == "")
        #expect(server.requests.isEmpty)
    }

    @Test func `refuses header fields of more than 64 KiB`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let answer = try await RawClient.exchange(
            "GET / HTTP/1.1\r\nX: \(String(repeating: "x", count: 70_000))\r\n\r\n", with: server)
        #expect(answer.hasPrefix("HTTP/1.1 431 "))
        #expect(server.requests.isEmpty)
    }

    @Test func `refuses a body of more than a gigabyte without waiting for it`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let answer = try await RawClient.exchange(
            "PUT / HTTP/1.1\r\nContent-Length: 9000000000000000000\r\n\r\n", with: server)
        #expect(answer.hasPrefix("HTTP/1.1 413 "))
    }

    @Test func `a body that ends early is no request`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let answer = try await RawClient.exchange(
            "PUT / HTTP/1.1\r\nContent-Length: 1000000000\r\n\r\nabc", with: server)
        #expect(answer == "")
        #expect(server.requests.isEmpty)
    }
}
