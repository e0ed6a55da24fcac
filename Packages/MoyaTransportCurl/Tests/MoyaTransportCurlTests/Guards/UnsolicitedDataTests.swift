import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Unsolicited bytes on a kept connection, which must not become the response to the next request.
@Suite struct UnsolicitedDataTests {
    private static let smuggled = "HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nsmuggled"

    /// Expects the response `hello` to each of five requests, where `serve` responds to each.
    private func expectOwnAnswers(
        method: String = "GET", _ serve: @escaping @Sendable (RawServer.Connection) -> Void
    ) async throws {
        let written = Counter()
        let server = try RawServer { connection in
            while !connection.read(until: "\r\n\r\n").isEmpty {
                serve(connection)
                written.next()
            }
        }
        defer { server.stop() }
        let transport = CurlTransport()
        var request = URLRequest(url: server.url)
        request.httpMethod = method
        for count in 1...5 {
            let response = try await transport.send(TransportRequest(request))
            #expect(try response.text == "hello")
            // Waits until the server has written the bytes after the response.
            try await until { written.count >= count }
        }
    }

    @Test(arguments: ["GET", "POST"])
    func `a response sent in one piece with the previous body is not used for the next request`(
        method: String
    ) async throws {
        try await expectOwnAnswers(method: method) { connection in
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
            // Lets the client read the head separately.
            Thread.sleep(forTimeInterval: 0.01)
            connection.write("hello" + Self.smuggled)
        }
    }

    @Test func `a response that arrives on an idle connection is not used for the next request`()
        async throws
    {
        try await expectOwnAnswers { connection in
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
            Thread.sleep(forTimeInterval: 0.01)
            connection.write(Self.smuggled)
        }
    }

    @Test func `a stray byte after every challenge fails the request after one more attempt`()
        async throws
    {
        let count = Counter()
        let server = try RawServer { connection in
            while !connection.read(until: "\r\n\r\n").isEmpty {
                count.next()
                connection.write(
                    "HTTP/1.1 401 Who\r\nWWW-Authenticate: Basic realm=\"a\"\r\nContent-Length: 5\r\n\r\n"
                )
                Thread.sleep(forTimeInterval: 0.01)
                connection.write("hellox")
            }
        }
        defer { server.stop() }
        var request = TransportRequest(URLRequest(url: server.url))
        request.credential = URLCredential(user: "u", password: "p", persistence: .none)
        let transport = CurlTransport()
        // libcurl 8.0 and later check the connection themselves.
        _ = try? await transport.send(request)
        #expect(count.count <= 3)
    }

    @Test func `a stray byte after a body does not fail the next request`() async throws {
        try await expectOwnAnswers { connection in
            connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
            Thread.sleep(forTimeInterval: 0.01)
            connection.write("0\r\n\r\nx")
        }
    }

    /// Expects that a connection is not reused if a byte follows `answer` in the same write.
    private func expectEnd(ofConnectionBehind answer: String, method: String = "GET") async throws {
        let connections = Counter()
        let server = try RawServer { connection in
            connections.next()
            // The first response on each connection is valid.
            var surplus = ""
            while !connection.read(until: "\r\n\r\n").isEmpty {
                connection.write("HTTP/1.1 \(answer)\r\n\r\n\(surplus)")
                surplus = "x"
            }
        }
        defer { server.stop() }
        let transport = CurlTransport()
        var request = URLRequest(url: server.url)
        request.httpMethod = method
        var counts: [Int] = []
        for _ in 0..<6 {
            _ = try await transport.send(TransportRequest(request))
            counts.append(connections.count)
        }
        #expect(counts == [1, 1, 2, 2, 3, 3])
    }

    // docs/LibcurlDefects.md lists the versions that these tests skip.
    @Test(
        .requires(.surplusSeen),
        arguments: [
            ("GET", "200 OK\r\nContent-Length: 0"), ("GET", "204 No Content"),
            ("GET", "304 Not Modified"), ("HEAD", "200 OK\r\nContent-Length: 60"),
            ("POST", "205 Reset Content\r\nContent-Length: 0"),
            ("GET", "103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0"),
        ])
    func `a connection with bytes after a response without a body is not reused`(
        method: String, head: String
    ) async throws {
        try await expectEnd(ofConnectionBehind: head, method: method)
    }

    @Test(.requires(.chunksSeen))
    func `a connection with bytes after the last chunk of a body is not reused`()
        async throws
    {
        try await expectEnd(
            ofConnectionBehind:
                "200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\nhi\r\n0\r\nA: b")
    }

    @Test(arguments: ["204 No Content", "200 OK\r\nContent-Length: 0"])
    func `a connection is reused after responses without a body`(head: String) async throws {
        let connections = Counter()
        let server = try RawServer { connection in
            connections.next()
            while !connection.read(until: "\r\n\r\n").isEmpty {
                connection.write("HTTP/1.1 \(head)\r\n\r\n")
            }
        }
        defer { server.stop() }
        let transport = CurlTransport()
        for _ in 0..<5 {
            _ = try await transport.send(TransportRequest(URLRequest(url: server.url)))
        }
        #expect(connections.count == 1)
    }

    @Test func `sockets with equal local and remote ports are distinguished by their addresses`()
        throws
    {
        let first = try boundSocket(to: 0)
        let local = try #require(ConnectionEndpoints.Address(localAddressOf: first))
        let second = try boundSocket(to: Int(local.port))
        defer { for socket in [first, second] { close(socket) } }
        #expect(local.host == "127.0.0.1")
        #expect(ConnectionEndpoints.Address(localAddressOf: second) == local)
        let toFirst = ConnectionEndpoints(local: local, remote: .init("127.0.0.1", 80))
        let toSecond = ConnectionEndpoints(local: local, remote: .init("127.0.0.2", 80))
        var sockets = SocketsByEndpoints()
        sockets.add(toFirst, among: [first])
        sockets.add(toSecond, among: [second])
        #expect(sockets[toFirst] == first)
        #expect(sockets[toSecond] == second)
        sockets.remove(second)
        #expect(sockets[toFirst] == first)
        #expect(sockets[toSecond] == nil)
    }

    /// A socket bound to `port` of 127.0.0.1, which other sockets may be bound to as well.
    private func boundSocket(to port: Int) throws -> Int32 {
        let socket = makeSocket(AF_INET)
        var isShared: Int32 = 1
        setsockopt(
            socket, SOL_SOCKET, SO_REUSEADDR, &isShared, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in(loopback: port)
        guard address.asSystemAddress({ bind(socket, $0, $1) == 0 }) else {
            throw POSIXError(.init(rawValue: errno) ?? .EIO)
        }
        return socket
    }
}
