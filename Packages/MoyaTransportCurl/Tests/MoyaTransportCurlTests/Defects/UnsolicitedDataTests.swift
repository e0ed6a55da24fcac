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
@Suite(.timeLimit(.minutes(3))) struct UnsolicitedDataTests {
    private static let smuggled = "HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nsmuggled"

    /// How far the client has read a response when the server writes more.
    private enum Moment {
        case head, response
    }

    private let transport: CurlTransport
    private let loop: CurlLoop

    init() throws {
        var configuration = CurlTransport.Configuration()
        configuration.threads = 1
        transport = try CurlTransport(configuration: configuration)
        loop = try transport.firstLoop()
    }

    /// Expects the response `hello` to each of five requests. The server responds to each with
    /// `first`, and with `rest` once the client has begun to read it, or has the response.
    private func expectOwnAnswers(
        method: String = "GET", _ first: String, after moment: Moment, _ rest: String
    ) async throws {
        let gate = DispatchSemaphore(value: 0)
        let written = Counter()
        let server = try RawServer { connection in
            while !connection.read(until: "\r\n\r\n").isEmpty {
                connection.write(first)
                gate.wait()
                connection.write(rest)
                written.next()
            }
        }
        defer {
            gate.signal()
            server.stop()
        }
        var urlRequest = URLRequest(url: server.url)
        urlRequest.httpMethod = method
        let request = TransportRequest(urlRequest)
        for count in 1...5 {
            async let answer = transport.send(request)
            if moment == .head {
                try await waitForHead()
                gate.signal()
            }
            let response = try await answer
            #expect(try response.text == "hello")
            if moment == .response { gate.signal() }
            // Waits until the server has written the bytes after the response.
            try await until { written.count >= count }
        }
    }

    /// Waits until the client has begun to read a response to the request that it sent last.
    private func waitForHead() async throws {
        try await until {
            try await loop.perform {
                $0.handles.active.first?.attempt?.reader.hasAnswerSinceBegin == true
            }
        }
    }

    @Test(arguments: ["GET", "POST"])
    func `a response sent in one piece with the previous body is not used for the next request`(
        method: String
    ) async throws {
        try await expectOwnAnswers(
            method: method, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", after: .head,
            "hello" + Self.smuggled)
    }

    @Test func `a response that arrives on an idle connection is not used for the next request`()
        async throws
    {
        try await expectOwnAnswers(
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", after: .response, Self.smuggled)
    }

    @Test func `a stray byte after every challenge does not fail the request`()
        async throws
    {
        let gate = DispatchSemaphore(value: 0)
        let count = Counter()
        let server = try RawServer { connection in
            while !connection.read(until: "\r\n\r\n").isEmpty {
                count.next()
                connection.write(
                    "HTTP/1.1 401 Who\r\nWWW-Authenticate: Basic realm=\"a\"\r\nContent-Length: 5\r\n\r\n"
                )
                gate.wait()
                connection.write("hellox")
            }
        }
        defer {
            gate.signal()
            server.stop()
        }
        let request = TransportRequest(
            URLRequest(url: server.url),
            credential: URLCredential(user: "u", password: "p", persistence: .none))
        async let answer = Result.catching { try await transport.send(request) }
        for number in 1...2 {
            try await until { count.count >= number }
            try await waitForHead()
            gate.signal()
        }
        // The request with the credential is sent on another connection.
        #expect(try await answer.get().head.statusCode == 401)
        #expect(count.count == 2)
    }

    @Test func `a stray byte after a body does not fail the next request`() async throws {
        try await expectOwnAnswers(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", after: .head,
            "0\r\n\r\nx")
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
