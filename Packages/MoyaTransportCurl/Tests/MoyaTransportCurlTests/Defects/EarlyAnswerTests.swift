import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Servers that respond with success, stop reading the request's body, and send nothing else.
@Suite(.timeLimit(.minutes(3))) struct EarlyAnswerTests {
    private typealias Frame = HTTP2FaultTests.Frame

    /// Larger than the socket buffers on both sides, and than the initial window of an HTTP/2
    /// stream.
    private static let body = RequestBody.data(Data(repeating: 1, count: 32 << 20))

    private func upload(
        to server: RawServer, isHTTP2: Bool, destination: ResponseDestination = .memory()
    ) async throws -> TransportResponse {
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        if isHTTP2 { configuration.httpVersion = .http2PriorKnowledge }
        var request = URLRequest(url: server.url, timeoutInterval: 1)
        request.httpMethod = "POST"
        return try await CurlTransport(configuration: configuration)
            .send(TransportRequest(request, body: Self.body, destination: destination))
    }

    private func serveHTTP2(_ frames: Data) throws -> RawServer {
        try RawServer { connection in
            connection.waitForHTTP2Request()
            connection.write(frames)
            connection.waitForClient()
        }
    }

    /// Responds over HTTP/1 after the head, and does not read the body.
    private func serveHTTP1(_ answer: String, until isOver: DispatchSemaphore) throws -> RawServer {
        try RawServer { connection in
            _ = connection.read(until: "\r\n\r\n")
            connection.write(answer)
            isOver.wait()
        }
    }

    @Test(arguments: [
        (Frame.head(1, "200", length: 5) + Frame.data(1, "hello", endsStream: true), 200, "hello"),
        (Frame.frame(1, 5, 1, Frame.code("204")), 204, ""),
    ])
    func
        `an HTTP/2 response that is complete by its length is the result although the server never reads the upload`(
            frames: Data, status: Int, text: String
        ) async throws
    {
        let response = try await upload(to: serveHTTP2(frames), isHTTP2: true)
        #expect(response.head.statusCode == status)
        #expect(try response.text == text)
    }

    @Test
    func
        `a streamed HTTP/2 response that is complete by its length ends although the server never reads the upload`()
        async throws
    {
        let frames = Frame.head(1, "200", length: 5) + Frame.data(1, "hello", endsStream: true)
        let response = try await upload(
            to: serveHTTP2(frames), isHTTP2: true, destination: .stream)
        guard case .stream(let stream) = response.body else { throw NoDataError() }
        #expect(try await stream.collect(upTo: 100) == Data("hello".utf8))
    }

    @Test(arguments: [
        ("200 OK\r\nContent-Length: 5\r\n\r\nhello", 200, "hello"),
        ("204 No Content\r\n\r\n", 204, ""),
    ])
    func
        `an HTTP/1 response that is complete by its length is the result although the server never reads the upload`(
            answer: String, status: Int, text: String
        ) async throws
    {
        let isOver = DispatchSemaphore(value: 0)
        defer { isOver.signal() }
        let response = try await upload(
            to: serveHTTP1("HTTP/1.1 \(answer)", until: isOver), isHTTP2: false)
        #expect(response.head.statusCode == status)
        #expect(try response.text == text)
    }

    /// libcurl does not report END_STREAM. docs/LibcurlDefects.md lists this exception.
    @Test
    func `an HTTP/2 response without a length to an upload that is never read is a timeout`()
        async throws
    {
        let frames = Frame.head(1) + Frame.data(1, "hello", endsStream: true)
        let error = await #expect(throws: URLError.self) {
            try await upload(to: serveHTTP2(frames), isHTTP2: true)
        }
        #expect(error?.code == .timedOut)
    }

    @Test
    func
        `a response that is shorter than its length is a timeout if the server never reads the upload`()
        async throws
    {
        let isOver = DispatchSemaphore(value: 0)
        defer { isOver.signal() }
        let error = await #expect(throws: URLError.self) {
            try await upload(
                to: serveHTTP1("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell", until: isOver),
                isHTTP2: false)
        }
        #expect(error?.code == .timedOut)
    }
}

@Suite(.timeLimit(.minutes(3))) struct UnheardSocketTests {
    /// libcurl closes a kept connection that has failed, and resolves the host again. Meanwhile
    /// another thread may have opened a file with the same descriptor.
    @Test
    func `a socket that libcurl has closed is not taken for a connection closed by the server`()
        async throws
    {
        let (asked, ask) = AsyncStream.makeStream(of: Void.self)
        let server = try RawServer { connection in
            _ = connection.read(until: "\r\n\r\n")
            ask.yield()
            connection.waitForClient()
        }
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.threads = 1
        let transport = try CurlTransport(configuration: configuration)
        var request = URLRequest.patient(server.url)
        request.httpMethod = "PUT"
        let upload = TransportRequest(request, body: .stream(.silent))
        let sending = Task { try await transport.send(upload) }
        defer { sending.cancel() }
        try await waitForEvent(in: asked)
        let loop = try transport.firstLoop()
        try await until {
            try await loop.perform { $0.handles.active.first?.attempt?.paused == .sending }
        }
        let isLost = try await loop.perform { driver -> [Bool] in
            let attempt = try #require(driver.handles.active.first?.attempt)
            func isAnswerLost() -> Bool {
                (try? attempt.checkAnswer(now: driver.now)) == nil
            }
            var ends: [Int32] = [0, 0]
            try #require(pipe(&ends) == 0)
            let closed = ends[0]
            attempt.noteStoppedReading(from: closed)
            // `recv` fails on a pipe, as on a socket that was reset.
            let before = isAnswerLost()
            let file = open("/dev/null", O_RDONLY)
            dup2(file, closed)
            defer { for descriptor in [closed, file, ends[1]] { close(descriptor) } }
            return [before, isAnswerLost()]
        }
        #expect(isLost == [true, false])
    }
}
