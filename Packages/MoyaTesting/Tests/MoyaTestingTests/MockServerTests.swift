import Foundation
import MoyaCore
import MoyaTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends `text` to the server as it stands and returns all that comes back.
private func exchange(_ text: String, with server: MockServer) async throws -> String {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            let script = """
                import socket, sys
                s = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
                s.sendall(sys.stdin.buffer.read())
                s.shutdown(socket.SHUT_WR)
                while True:
                    piece = s.recv(65536)
                    if not piece: break
                    sys.stdout.buffer.write(piece)
                """
            process.arguments = ["python3", "-c", script, "\(server.port)"]
            let (input, output) = (Pipe(), Pipe())
            process.standardInput = input
            process.standardOutput = output
            do {
                try process.run()
                input.fileHandleForWriting.write(Data(text.utf8))
                try input.fileHandleForWriting.close()
                let answer = output.fileHandleForReading.readDataToEndOfFile()
                process.waitUntilExit()
                continuation.resume(returning: String(decoding: answer, as: UTF8.self))
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }
}

@Suite struct MockServerTests {
    @Test func `answers an independent client`() async throws {
        let server = try MockServer { request in
            .text("\(request.method) \(request.path) \(request.body.count)")
        }
        defer { server.stop() }
        let answer = try await exchange(
            "POST /a%20b?q=1 HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc", with: server)
        #expect(answer.hasPrefix("HTTP/1.1 200 "))
        #expect(answer.contains("Content-Length: 11\r\n"))
        #expect(answer.hasSuffix("\r\n\r\nPOST /a b 3"))
        let request = try #require(server.requests.first)
        #expect(request.target == "/a%20b?q=1")
        #expect(request.queryItems == [URLQueryItem(name: "q", value: "1")])
        #expect(request.value(for: "HOST") == "x")
        #expect(request.body == Data("abc".utf8))
        #expect(request.connectionID == 1)
    }

    @Test func `keeps a connection for more than one request`() async throws {
        let server = try MockServer { request in .text(request.path) }
        defer { server.stop() }
        let answer = try await exchange(
            "GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\n\r\n", with: server)
        #expect(answer.contains("/1HTTP/1.1 200"))
        #expect(answer.hasSuffix("/2"))
        #expect(server.connectionCount == 1)
    }

    @Test func `reads chunked bodies`() async throws {
        let server = try MockServer { request in
            .text(String(decoding: request.body, as: UTF8.self))
        }
        defer { server.stop() }
        let answer = try await exchange(
            "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n6\r\n world\r\n0\r\nT: 1\r\n\r\n",
            with: server)
        #expect(answer.hasSuffix("hello world"))
    }

    @Test func `says to continue before it reads a body`() async throws {
        let server = try MockServer { request in .text("\(request.body.count)") }
        defer { server.stop() }
        let answer = try await exchange(
            "PUT / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nab", with: server)
        #expect(answer.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200"))
    }

    @Test func `answers HEAD without a body`() async throws {
        let server = try MockServer { _ in .text("body") }
        defer { server.stop() }
        let answer = try await exchange("HEAD / HTTP/1.1\r\n\r\n", with: server)
        #expect(answer.contains("Content-Length: 4"))
        #expect(!answer.contains("body"))
    }

    @Test func `cuts a body off where it is told to`() async throws {
        let server = try MockServer { _ in
            MockResponse(body: .pattern(byteCount: 1000)).truncated(after: 10)
        }
        defer { server.stop() }
        let answer = try await exchange("GET / HTTP/1.1\r\n\r\n", with: server)
        #expect(answer.contains("Content-Length: 1000"))
        #expect(answer.components(separatedBy: "\r\n\r\n").last?.utf8.count == 10)
    }

    @Test func `what is no HTTP is hung up on`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        #expect(try await exchange("nonsense\r\n\r\n", with: server) == "")
        #expect(server.requests.isEmpty)
    }

    @Test func `waits for requests and for clients to leave`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        async let requests = server.waitForRequests(2)
        _ = try await exchange("GET /get HTTP/1.1\r\n\r\nGET /get HTTP/1.1\r\n\r\n", with: server)
        #expect(try await requests.count >= 2)
        try await server.waitUntilDisconnected()
        #expect(server.openConnectionCount == 0)
        await #expect(throws: MockServer.TimeoutError.self) {
            try await server.waitForRequests(3, timeout: 0.01)
        }
    }

    @Test func `stopping ends connections, however often`() async throws {
        let server = try MockServer()
        async let answer = exchange("GET /stall HTTP/1.1\r\n\r\n", with: server)
        _ = try await server.waitForRequests(1)
        server.stop()
        server.stop()
        #expect(try await answer == "")
        try await server.waitUntilDisconnected()
    }

    @Test(arguments: [
        ("/status/418", 418), ("/nothing", 404), ("/get", 200), ("/basic-auth/a/b", 401),
    ])
    func `answers like httpbin`(path: String, status: Int) async throws {
        let server = try MockServer()
        defer { server.stop() }
        let answer = try await exchange(
            "GET \(path) HTTP/1.1\r\nConnection: close\r\n\r\n", with: server)
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
    }
}
