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

    /// Sends a request to a server that responds to the first connection with `refusing`, and to
    /// the next one with 200.
    private func sendTwice(
        _ method: String, refusing: Data
    ) async throws -> (connections: Int, result: Result<TransportResponse, any Error>) {
        let connections = Counter()
        let server = try RawServer { connection in
            let isFirst = connections.next() == 1
            connection.waitForHTTP2Request()
            connection.write(
                isFirst
                    ? refusing : Frame.head(1) + Frame.data(1, "hello", endsStream: true))
            connection.waitForClient()
        }
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.httpVersion = .http2PriorKnowledge
        let transport = try CurlTransport(configuration: configuration)
        var request = URLRequest(url: server.url)
        request.httpMethod = method
        let body = method == "POST" ? RequestBody.data(Data("x".utf8)) : .none
        let sent = TransportRequest(request, body: body)
        let result = await Result.catching { try await transport.send(sent) }
        return (connections.count, result)
    }

    @Test(arguments: [Frame.goAway(last: 0), Frame.reset(1, 7)])
    func `a GET that an HTTP/2 server refuses unprocessed is sent again`(refusing: Data)
        async throws
    {
        let (connections, result) = try await sendTwice("GET", refusing: refusing)
        #expect(try result.get().text == "hello")
        #expect(connections == 2)
    }

    @Test(arguments: [Frame.goAway(last: 0), Frame.reset(1, 7)])
    func `a POST that an HTTP/2 server refuses unprocessed is not sent again`(refusing: Data)
        async throws
    {
        let (connections, result) = try await sendTwice("POST", refusing: refusing)
        let error = #expect(throws: URLError.self) { try result.get() }
        #expect(error?.code == .networkConnectionLost)
        #expect(connections <= 2)
    }
}
