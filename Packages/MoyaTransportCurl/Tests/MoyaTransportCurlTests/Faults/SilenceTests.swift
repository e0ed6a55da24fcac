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
}
