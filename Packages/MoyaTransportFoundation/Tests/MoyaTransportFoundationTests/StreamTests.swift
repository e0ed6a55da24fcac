import Foundation
import MoyaCore
import MoyaInternals
import MoyaMockServer
import MoyaTestSupport
import Testing

@testable import MoyaTransportFoundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(3))) struct StreamTests {
    private func stream(
        _ path: String, of server: MockServer, over transport: FoundationTransport,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws -> ResponseBodyStream {
        let response = try await transport.send(
            TransportRequest(
                URLRequest(url: server.url.appendingPathComponent(path), timeoutInterval: 120),
                destination: .stream, progress: progress))
        guard case .stream(let stream) = response.body else {
            throw URLError(.cannotParseResponse)
        }
        return stream
    }

    #if !os(Linux)
        @Test func `a slow reader holds the server back and receives every byte`() async throws {
            let server = try MockServer()
            defer { server.stop() }
            let (size, received) = (64 << 20, Locked<Int64>(0))
            let stream = try await stream("bytes/\(size)", of: server, over: FoundationTransport())
            {
                now in
                received.withLock { $0 = now.bytesReceived }
            }
            // The reader resumes a few times, and falls behind again at once.
            var (chunks, count, isRight) = (stream.makeAsyncIterator(), 0, true)
            for _ in 0..<3 {
                let still = try await waitUntilStable { received.withLock { $0 } }
                // Bytes already delivered, plus the buffers of the relay.
                #expect(still < Int64(count) + 4 << 20)
                for _ in 0..<20 {
                    guard let chunk = try await chunks.next() else { break }
                    isRight = isRight && chunk == servedBytes(at: count, chunk.count)
                    count += chunk.count
                }
            }
            while let chunk = try await chunks.next() {
                isRight = isRight && chunk == servedBytes(at: count, chunk.count)
                count += chunk.count
            }
            #expect(count == size)
            #expect(isRight)
        }
    #else
        // Linux has no back-pressure.
        @Test func `a reader beyond the backlog limit gets an error`()
            async throws
        {
            // The server closes the connection in any case, because it may have sent everything
            // before the overflow stops the task.
            let server = try MockServer { _ in
                MockResponse(body: .pattern(byteCount: 64 << 20)).adding("Connection", "close")
                    .ending(.close)
            }
            defer { server.stop() }
            var configuration = FoundationTransport.Configuration()
            configuration.streamBacklogLimit = 1 << 20
            let transport = try FoundationTransport(configuration: configuration)
            let stream = try await stream("", of: server, over: transport)
            // No bytes are read before this point.
            try await server.waitUntilDisconnected()
            let error = await #expect(throws: URLError.self) {
                try await stream.collect(upTo: 64 << 20)
            }
            #expect(error?.code == .dataLengthExceedsMaximum)
        }
    #endif

    @Test
    func `where the session cannot be suspended, a reader beyond the backlog limit gets an error`()
        throws
    {
        let url = try #require(URL(string: "http://a.test/"))
        let exchange = try SessionExchange(
            TransportRequest(URLRequest(url: url), destination: .stream))
        exchange.openRelay(limit: 1 << 20, keeping: FoundationTransport())
        let isStopped = Locked(false)
        _ = exchange.begin(stop: { isStopped.withLock { $0 = true } })
        for _ in 0..<5 { exchange.receive(Data(count: 256 << 10)) }
        #expect(!isStopped.withLock { $0 })
        exchange.receive(Data(count: 1))
        #expect(isStopped.withLock { $0 })
        let failure = exchange.state.withLock { $0.failure }
        #expect((failure as? URLError)?.code == .dataLengthExceedsMaximum)
        #expect(failure?.localizedDescription.contains("CurlTransport") == true)
    }

    @Test func `a transport lives as long as its stream is read`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let stream = try await stream("stream/50", of: server, over: FoundationTransport())
        let lines = try await stream.collect(upTo: 1 << 20).split(separator: UInt8(ascii: "\n"))
        #expect(lines.count == 50)
    }

    @Test func `shutdown ends a stream that is being read`() async throws {
        let server = try MockServer { _ in
            MockResponse(body: .pattern(byteCount: 100)).truncated(after: 10, then: .stall)
        }
        defer { server.stop() }
        let transport = FoundationTransport()
        let stream = try await stream("", of: server, over: transport)
        var chunks = stream.makeAsyncIterator()
        #expect(try await chunks.next()?.count == 10)
        transport.shutdown()
        let error = await #expect(throws: URLError.self) { try await chunks.next() }
        #expect(error?.code == .cancelled)
        try await server.waitUntilDisconnected()
    }

    @Test(arguments: [true, false])
    func `timeouts apply to a stream that is being read`(isExchange: Bool) async throws {
        let server = try MockServer { _ in
            MockResponse(body: .pattern(byteCount: 100)).truncated(after: 10, then: .stall)
        }
        defer { server.stop() }
        var configuration = FoundationTransport.Configuration()
        if isExchange { configuration.exchangeTimeout = 1 }
        var request = URLRequest(url: server.url)
        request.timeoutInterval = isExchange ? 60 : 1
        let transport = try FoundationTransport(configuration: configuration)
        let endless = TransportRequest(request, destination: .stream)
        // On a busy machine, the timeout may expire before the head arrives.
        let error = await #expect(throws: URLError.self) {
            _ = try await transport.send(endless).stream?.collect(upTo: 100)
        }
        #expect(error?.code == .timedOut)
    }

    @Test func `waiting for a slow reader does not count as idle time`() throws {
        let url = try #require(URL(string: "http://a.test/"))
        var request = URLRequest(url: url)
        request.timeoutInterval = 1e-9
        let exchange = try SessionExchange(TransportRequest(request, destination: .stream))
        let isSuspended = Locked(false)
        exchange.openRelay(limit: 1 << 20, keeping: FoundationTransport())
        _ = exchange.begin(stop: {}, suspend: { isHeld in isSuspended.withLock { $0 = isHeld } })
        #expect(try #require(exchange.nextCheck()) < .now())
        exchange.receive(Data(count: 300_000))
        #expect(!isSuspended.withLock { $0 })
        exchange.receive(Data(count: 300_000))
        #expect(isSuspended.withLock { $0 })
        let earliest = DispatchTime.now()
        #expect(try #require(exchange.nextCheck()) > earliest)
        exchange.cancel()
    }
}

/// Returns `count` bytes of the server's `/bytes` response from `offset` on: 0 to 255, repeated.
func servedBytes(at offset: Int, _ count: Int) -> Data {
    someBytes[(offset % 256)..<(offset % 256 + count)]
}

private let someBytes = Data((0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0) })
