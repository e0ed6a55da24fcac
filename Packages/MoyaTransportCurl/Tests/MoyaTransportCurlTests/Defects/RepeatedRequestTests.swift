import Foundation
import MoyaCore
import MoyaMockServer
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests on a kept connection that fails.
@Suite(.timeLimit(.minutes(3))) struct RepeatedRequestTests {
    /// A server that responds to the first request on its first connection, and resets that
    /// connection at the second request. Responds to all requests on other connections.
    private func makeServer(_ seen: Counter) throws -> RawServer {
        let connections = Counter()
        return try RawServer { connection in
            let isFirst = connections.next() == 1
            var count = 0
            while true {
                let head = connection.read(until: "\r\n\r\n")
                if head.isEmpty { return }
                if head.starts(with: Data("POST".utf8)) { _ = seen.next() }
                count += 1
                if isFirst, count == 2 { return connection.resetAtEnd() }
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            }
        }
    }

    @Test func `a GET on a dead reused connection is sent again`() async throws {
        let server = try makeServer(Counter())
        defer { server.stop() }
        let transport = CurlTransport()
        let request = TransportRequest(URLRequest(url: server.url))
        _ = try await transport.send(request)
        #expect(try await transport.send(request).head.statusCode == 200)
    }

    /// Oracle: libcurl 8.23.0 with pycurl, which repeats a request five times, and then fails with
    /// "Connection died, tried 5 times before giving up".
    @Test(arguments: [(5, 200), (6, nil)] as [(Int, Int?)])
    func `A GET that meets dead reused connections is sent again at most five times`(
        deadCount: Int, status: Int?
    ) async throws {
        let (connections, requests) = (Counter(), Counter())
        let arrived = DispatchGroup()
        for _ in 0..<deadCount { arrived.enter() }
        let server = try RawServer { connection in
            let isDead = connections.next() <= deadCount
            guard !connection.read(until: "\r\n\r\n").isEmpty else { return }
            if isDead {
                // All requests are in flight at once, so each has its own connection.
                arrived.leave()
                arrived.wait()
            } else {
                _ = requests.next()
            }
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            if isDead, !connection.read(until: "\r\n\r\n").isEmpty { _ = requests.next() }
        }
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.threads = 1
        let transport = try CurlTransport(configuration: configuration)
        let request = TransportRequest(URLRequest(url: server.url))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<deadCount { group.addTask { _ = try await transport.send(request) } }
            try await group.waitForAll()
        }
        if let status {
            #expect(try await transport.send(request).head.statusCode == status)
        } else {
            let error = await #expect(throws: URLError.self) { try await transport.send(request) }
            #expect(error?.code == .networkConnectionLost)
        }
        #expect(requests.count == 6)
    }

    @Test(arguments: [RequestBody.data(Data("pay".utf8)), .data(Data())])
    func `libcurl sends a POST on a dead reused connection once`(body: RequestBody) async throws {
        let seen = Counter()
        let server = try makeServer(seen)
        defer { server.stop() }
        let transport = CurlTransport()
        _ = try await transport.send(TransportRequest(URLRequest(url: server.url)))
        var request = URLRequest(url: server.url)
        request.httpMethod = "POST"
        let error = await #expect(throws: URLError.self) {
            try await transport.send(TransportRequest(request, body: body))
        }
        #expect(error?.code == .networkConnectionLost)
        #expect(seen.count == 1)
    }
}
