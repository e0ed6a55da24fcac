import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// HTTP/2 servers that refuse a request before they have processed it (RFC 9113, section 8.7).
@Suite(.timeLimit(.minutes(3))) struct LostServerTests {
    private typealias Frame = HTTP2FaultTests.Frame

    private static let refusals = [Frame.goAway(last: 0), Frame.reset(1, 7)]

    /// Sends a request to a server that responds on the first `count` connections with `refusing`,
    /// and on the next one with 200.
    private func send(
        _ method: String, body: RequestBody = .data(Data("x".utf8)), refusing: Data,
        times count: Int = 1
    ) async throws -> (connections: Int, result: Result<TransportResponse, any Error>) {
        let connections = Counter()
        let server = try RawServer { connection in
            let isRefused = connections.next() <= count
            // A response before the end of the body would be lost with libcurl 7.88 to 8.0.
            connection.waitForHTTP2Request(whole: !isRefused)
            connection.write(
                isRefused
                    ? refusing : Frame.head(1) + Frame.data(1, "hello", endsStream: true))
            connection.waitForClient()
        }
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.httpVersion = .http2PriorKnowledge
        let transport = try CurlTransport(configuration: configuration)
        var request = URLRequest(url: server.url)
        request.httpMethod = method
        let sent = TransportRequest(request, body: method == "POST" ? body : .none)
        let result = await Result.catching { try await transport.send(sent) }
        return (connections.count, result)
    }

    @Test(arguments: ["GET", "POST"], refusals)
    func `a request that an HTTP/2 server refuses unprocessed is sent again`(
        method: String, refusing: Data
    ) async throws {
        let (connections, result) = try await send(method, refusing: refusing)
        #expect(try result.get().text == "hello")
        #expect(connections == 2)
    }

    @Test(arguments: refusals)
    func `a POST that an HTTP/2 server refuses twice fails with the reason`(refusing: Data)
        async throws
    {
        let (connections, result) = try await send("POST", refusing: refusing, times: 5)
        let error = #expect(throws: URLError.self) { try result.get() }
        #expect(error?.code == .networkConnectionLost)
        #expect(error?.localizedDescription.contains("refused the request") == true)
        #expect(connections <= 3)
    }

    @Test(arguments: refusals)
    func `a refused POST with a stream fails with the reason`(refusing: Data) async throws {
        let body = RequestBody.stream(.silent(announcing: 1))
        let (_, result) = try await send("POST", body: body, refusing: refusing)
        let error = #expect(throws: URLError.self) { try result.get() }
        #expect(error?.localizedDescription.contains("its body is a stream") == true)
    }

    /// A reset with another code, and a GOAWAY that covers the stream: the server may have
    /// processed the request.
    @Test(arguments: [
        Frame.reset(1, 2), Frame.goAway(last: 1) + Frame.reset(1, 2), Frame.goAway(last: 1), Data(),
        Frame.frame(0, 0, 0, [0]),
    ])
    func `a POST that an HTTP/2 server may have processed is sent once`(end: Data) async throws {
        let connections = Counter()
        let server = try RawServer { connection in
            _ = connections.next()
            connection.waitForHTTP2Request()
            connection.write(end)
        }
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.httpVersion = .http2PriorKnowledge
        var request = URLRequest(url: server.url)
        request.httpMethod = "POST"
        let transport = try CurlTransport(configuration: configuration)
        let error = await #expect(throws: URLError.self) {
            try await transport.send(
                TransportRequest(request, body: .data(Data("x".utf8))))
        }
        #expect(error?.code == .networkConnectionLost)
        #expect(connections.count == 1)
    }
}
