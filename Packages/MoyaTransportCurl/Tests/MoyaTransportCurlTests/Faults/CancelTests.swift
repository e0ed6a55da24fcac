import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import MoyaTransportCurl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Cancels at every stage of an exchange.
@Suite(.timeLimit(.minutes(3))) struct CancelTests {
    /// Expects that a request is cancelled when `reach` has brought it to a stage on the server's
    /// connection.
    private func expectCancel(
        scheme: String = "http", _ request: (URL) -> TransportRequest,
        _ configuration: CurlTransport.Configuration = .init(),
        server reach: @escaping @Sendable (RawServer.Connection) -> Void
    ) async throws {
        let (stages, stage) = AsyncStream.makeStream(of: Void.self)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let server = try RawServer { connection in
            reach(connection)
            stage.yield()
            connection.waitForClient()
            end.yield()
        }
        defer { server.stop() }
        let url = try #require(URL(string: "\(scheme)://127.0.0.1:\(server.port)/"))
        var configuration = configuration
        configuration.connectTimeout = 120
        let transport = try CurlTransport(configuration: configuration)
        let request = request(url)
        let task = Task { () throws -> Void in
            let response = try await transport.send(request)
            if case .stream(let stream) = response.body { for try await _ in stream {} }
        }
        try await waitForEvent(in: stages)
        task.cancel()
        do {
            try await task.value
            Issue.record("The exchange was not cancelled.")
        } catch {
            #expect((error as? URLError)?.code == .cancelled || error is CancellationError)
        }
        // libcurl closes the connection, unless other requests may share it.
        if configuration.httpVersion == .http2PriorKnowledge { transport.shutdown() }
        try await waitForEvent(in: ends)
    }

    private func get(_ destination: ResponseDestination = .memory(limit: 1 << 20)) -> (URL) ->
        TransportRequest
    {
        { TransportRequest(.patient($0), destination: destination) }
    }

    private func put(_ body: RequestBody) -> (URL) -> TransportRequest {
        { url in
            var request = URLRequest.patient(url)
            request.httpMethod = "PUT"
            return TransportRequest(request, body: body)
        }
    }

    @Test func `cancelling during the TLS handshake ends the request`() async throws {
        try await expectCancel(scheme: "https", get()) { _ = $0.read() }
    }

    @Test func `cancelling while waiting for the response ends the request`() async throws {
        try await expectCancel(get()) { _ = $0.read(until: "\r\n\r\n") }
    }

    @Test func `cancelling while the request body is sent ends the request`() async throws {
        let body = RequestBody.data(Data(repeating: 1, count: 64 << 20))
        try await expectCancel(put(body)) { _ = $0.read() }
    }

    @Test func `cancelling while the request's body stream is silent ends the request`()
        async throws
    {
        try await expectCancel(put(.stream(.silent))) { _ = $0.read() }
    }

    @Test func `cancelling within the response head ends the request`() async throws {
        try await expectCancel(get()) { connection in
            _ = connection.read(until: "\r\n\r\n")
            connection.write("HTTP/1.1 200 OK\r\nX-Half: ")
        }
    }

    @Test func `cancelling within the response body ends the request and leaves no file`()
        async throws
    {
        let folder = try TemporaryFolder()
        let file = folder.file()
        for destination in [.memory(limit: 1 << 20), .file(file), .stream] as [ResponseDestination]
        {
            try await expectCancel(get(destination)) { connection in
                _ = connection.read(until: "\r\n\r\n")
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart")
            }
        }
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `cancelling an HTTP/2 request ends the request`() async throws {
        var configuration = CurlTransport.Configuration()
        configuration.httpVersion = .http2PriorKnowledge
        try await expectCancel(get(), configuration) { connection in
            _ = connection.read(until: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
            // SETTINGS, and the acknowledgement of the client's SETTINGS.
            connection.write(Data([0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0]))
        }
    }
}
