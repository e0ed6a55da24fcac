import Foundation
import MoyaCore
import MoyaInternals
import MoyaMockServer
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(3))) struct SilenceTests {
    @Test func `the idle timeout counts from the last byte received`()
        async throws
    {
        let spoken = Locked<UInt64?>(nil)
        let gate = DispatchSemaphore(value: 0)
        let (asked, ask) = AsyncStream.makeStream(of: Void.self)
        let server = try RawServer { connection in
            _ = connection.read(until: "\r\n\r\n")
            ask.yield()
            gate.wait()
            spoken.withLock { $0 = LoopClock.now() }
            connection.write("HTTP/1.1 200 OK\r\n\r\npart")
            connection.waitForClient()
        }
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.threads = 1
        let transport = try CurlTransport(configuration: configuration)
        let request = TransportRequest(.patient(server.url), destination: .stream)
        async let answer = transport.send(request)
        try await waitForEvent(in: asked)
        // Afterwards the loop only waits for the response.
        let loop = try transport.firstLoop()
        #expect(try await loop.perform { $0.handles.active.count } == 1)
        gate.signal()
        let response = try await answer
        let heard = try await loop.perform { $0.handles.active.first?.attempt?.times.lastActivity }
        #expect(try #require(heard) >= #require(spoken.withLock { $0 }))
        transport.shutdown()
        withExtendedLifetime(response) {}
    }

    @Test func `the idle timeout resumes after a slow reader continues`() async throws {
        let size = 1 << 20
        let server = try RawServer { connection in
            _ = connection.read(until: "\r\n\r\n")
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(size + 1)\r\n\r\n")
            connection.write(Data(repeating: 7, count: size))
            connection.waitForClient()
        }
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.threads = 1
        let transport = try CurlTransport(configuration: configuration)
        let response = try await transport.send(
            TransportRequest(
                URLRequest(url: server.url, timeoutInterval: 1), destination: .stream))
        guard case .stream(let stream) = response.body else { throw NoDataError() }
        let loop = try transport.firstLoop()
        // Until the loop has checked the idle timeout, and found that the client does not read.
        try await until { try await loop.perform { $0.timers.next == .max } }
        var count = 0
        let error = await #expect(throws: URLError.self) {
            for try await chunk in stream { count += chunk.count }
        }
        #expect(error?.code == .timedOut)
        #expect(count == size)
    }

    /// A server that responds to the first request of its first connection. It resets that
    /// connection during the second request, when `isPaused` is signalled.
    private func makeServer(
        resetting isPaused: DispatchSemaphore,
        others: @escaping @Sendable (RawServer.Connection) -> Void
    ) throws -> RawServer {
        let connections = Counter()
        return try RawServer { connection in
            guard connections.next() == 1 else { return others(connection) }
            _ = connection.read(until: "\r\n\r\n")
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            _ = connection.read(until: "first")
            isPaused.wait()
            connection.resetAtEnd()
        }
    }

    private func configuration() -> CurlTransport.Configuration {
        var configuration = CurlTransport.Configuration()
        configuration.threads = 1
        configuration.expectContinueTimeout = 0.3
        // Ends a request that would wait without a timer.
        configuration.exchangeTimeout = 60
        return configuration
    }

    private func upload(to server: RawServer, _ stream: RequestBodyStream) -> TransportRequest {
        var request = URLRequest(url: server.url, timeoutInterval: 1)
        request.httpMethod = "PUT"
        return TransportRequest(request, body: .stream(stream))
    }

    /// Waits until the only transfer has a paused upload and no timer but that of its deadline.
    private func waitForPause(in transport: CurlTransport) async throws {
        let loop = try transport.firstLoop()
        try await until {
            try await loop.perform { driver in
                guard let attempt = driver.handles.active.first?.attempt else { return false }
                return attempt.paused == .sending
                    && driver.timers.next >= attempt.transfer.deadline
            }
        }
    }

    /// Without a new timer, the request waits until its `exchangeTimeout`. The expectation gives
    /// the repeated stream time, so that libcurl reads it without another pause.
    @Test
    func `the idle timeout applies to an upload that is repeated after a pause longer than it`()
        async throws
    {
        let isPaused = DispatchSemaphore(value: 0)
        let received = Locked(Data())
        let server = try makeServer(resetting: isPaused) { connection in
            let request = connection.read(until: "0\r\n\r\n")
            received.withLock { $0 = request }
            connection.waitForClient()
        }
        defer { server.stop() }
        let transport = try CurlTransport(configuration: configuration())
        _ = try await transport.send(TransportRequest(.patient(server.url)))

        let (first, firstBody) = AsyncThrowingStream<Data, any Error>.makeStream()
        defer { firstBody.finish() }
        firstBody.yield(Data("first".utf8))
        let (whole, wholeBody) = AsyncThrowingStream<Data, any Error>.makeStream()
        wholeBody.yield(Data("first and last".utf8))
        wholeBody.finish()
        let count = Counter()
        let stream = RequestBodyStream { count.next() == 1 ? first : whole }
        var request = upload(to: server, stream)
        request.urlRequest.setValue("100-continue", forHTTPHeaderField: "Expect")
        async let answer = Result.catching { [request] in try await transport.send(request) }
        defer { isPaused.signal() }
        try await waitForPause(in: transport)
        isPaused.signal()
        let result = await answer
        let error = #expect(throws: URLError.self) { try result.get() }
        #expect(error?.code == .timedOut)
        #expect(error?.localizedDescription.contains("No data was sent") == true)
        let text = String(decoding: received.withLock { $0 }, as: UTF8.self)
        #expect(text.contains("first and last"))
        #expect(text.hasSuffix("0\r\n\r\n"))
        #expect(count.count == 2)
    }

    @Test
    func
        `an upload that is repeated after a pause, and pauses again before its first byte, is answered`()
        async throws
    {
        let isPaused = DispatchSemaphore(value: 0)
        let (asked, ask) = AsyncStream.makeStream(of: Void.self)
        let server = try makeServer(resetting: isPaused) { connection in
            let head = connection.read(until: "\r\n\r\n")
            ask.yield()
            if head.range(of: Data("0\r\n\r\n".utf8)) == nil {
                _ = connection.read(until: "0\r\n\r\n")
            }
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        defer { server.stop() }
        let transport = try CurlTransport(configuration: configuration())
        _ = try await transport.send(TransportRequest(.patient(server.url)))

        let (first, firstBody) = AsyncThrowingStream<Data, any Error>.makeStream()
        defer { firstBody.finish() }
        firstBody.yield(Data("first".utf8))
        let (whole, wholeBody) = AsyncThrowingStream<Data, any Error>.makeStream()
        let count = Counter()
        let stream = RequestBodyStream { count.next() == 1 ? first : whole }
        let request = upload(to: server, stream)
        async let answer = transport.send(request)
        defer { isPaused.signal() }
        try await waitForPause(in: transport)
        isPaused.signal()
        try await waitForEvent(in: asked)
        // libcurl has asked the second stream for bytes, and has got none.
        try await waitForPause(in: transport)
        wholeBody.yield(Data("first and last".utf8))
        wholeBody.finish()
        #expect(try await answer.head.statusCode == 200)
        #expect(count.count == 2)
    }
}
