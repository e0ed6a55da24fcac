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
        let result = await Result.catching { try await transport.send(request) }
        if CurlLibrary.leavesConnectionsWithInput {
            // libcurl opens another connection for the request with the credential.
            #expect(try result.get().head.statusCode == 401)
        } else {
            let error = #expect(throws: URLError.self) { try result.get() }
            #expect(error?.code == .badServerResponse)
        }
        #expect(count.count == 2)
    }

    @Test func `a stray byte after a body does not fail the next request`() async throws {
        try await expectOwnAnswers { connection in
            connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
            Thread.sleep(forTimeInterval: 0.01)
            connection.write("0\r\n\r\nx")
        }
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
