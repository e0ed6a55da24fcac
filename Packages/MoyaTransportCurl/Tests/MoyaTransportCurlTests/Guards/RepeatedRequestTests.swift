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
