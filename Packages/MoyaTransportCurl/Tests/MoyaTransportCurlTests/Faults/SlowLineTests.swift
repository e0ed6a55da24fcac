import CMoyaCurl
import Foundation
import MoyaCore
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Bodies that take longer than the idle timeout to send.
@Suite(.timeLimit(.minutes(3))) struct SlowLineTests {
    private let server: SlowReader
    private let transport: CurlTransport
    private let loop: CurlLoop

    /// - Parameter path: The path of a Unix domain socket, in place of a port.
    private init(at path: URL? = nil) throws {
        var configuration = CurlTransport.Configuration()
        configuration.threads = 1
        configuration.network.unixSocket = path
        server = try SlowReader(unixSocket: path)
        transport = try CurlTransport(configuration: configuration)
        loop = try transport.firstLoop()
    }

    init() throws { try self.init(at: nil) }

    private func upload(_ count: Int) async -> Result<TransportResponse, any Error> {
        var request = URLRequest.patient(server.url)
        request.httpMethod = "PUT"
        let upload = TransportRequest(request, body: .data(Data(count: count)))
        return await .catching { try await transport.send(upload) }
    }

    /// Simulates that more than the idle timeout has passed, for the `turn`th time. Returns whether
    /// the upload is still running.
    private func outlast(
        turn: Int, once isReady: @escaping @Sendable (Attempt) -> Bool
    ) async throws -> Bool {
        var goesOn: Bool?
        try await until {
            goesOn = try await loop.perform { driver in
                guard let attempt = driver.handles.active.first?.attempt else { return false }
                guard isReady(attempt) else { return nil }
                driver.now = LoopClock.now() + UInt64(turn) * 601_000_000_000
                driver.checkTimes()
                driver.now = LoopClock.now()
                return !driver.handles.active.isEmpty
            }
            return goesOn != nil
        }
        return goesOn == true
    }

    /// - Parameter isReady: Whether libcurl has sent all that it can while the server does not
    ///   read.
    private func expectPatience(
        uploading size: Int, reading count: Int,
        once isReady: @escaping @Sendable (Attempt) -> Bool
    ) async throws {
        defer { server.stop() }
        async let answer = upload(size)
        let connection = try await server.accept()
        defer { connection.close() }
        var turn = 0
        while turn < 3 {
            turn += 1
            try await until {
                try await loop.perform { $0.handles.active.first?.attempt.map(isReady) == true }
            }
            try await connection.read(count)
            #expect(try await outlast(turn: turn, once: isReady))
        }
        // The server does not read any more.
        try await until {
            turn += 1
            return try await !outlast(turn: turn, once: isReady)
        }
        let result = await answer
        let error = #expect(throws: URLError.self) { try result.get() }
        #expect(error?.code == .timedOut)
    }

    #if os(Linux)
        @Test func `upload data that the system still sends does not count as idle`()
            async throws
        {
            // The system has accepted the whole body.
            try await expectPatience(uploading: 1 << 20, reading: 256 << 10) {
                $0.upload.source?.offset == 1 << 20
            }
        }
    #endif

    @Test func `an upload piece that is sent in small parts does not count as idle`() async throws {
        let folder = try TemporaryFolder()
        try await SlowLineTests(at: folder.file("s"))
            .expectPatience(uploading: 32 << 20, reading: 1 << 20) { attempt in
                guard let socket = attempt.sending?.socket,
                    let offset = attempt.upload.source?.offset, offset > 0
                else { return false }
                var entry = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
                return poll(&entry, 1, 0) == 0
            }
    }

    @Test func `a server silent after the whole upload is idle once the upload is acknowledged`()
        async throws
    {
        defer { server.stop() }
        let size = 100 << 10
        async let answer = upload(size)
        let connection = try await server.accept()
        defer { connection.close() }
        try await connection.read(size)
        #if os(Linux)
            // Until the server has acknowledged every byte, and the last was sent some time ago.
            // Elsewhere, the transport does not see what is acknowledged.
            try await until {
                try await loop.perform { driver in
                    guard
                        let socket = driver.handles.active.first?.attempt?.sending?.socket,
                        let counts = ConnectionCounts(of: socket)
                    else { return false }
                    return counts.arrived >= counts.accepted && counts.nanosecondsSinceSending > 0
                }
            }
        #endif
        let (heard, checked) = try await loop.perform { driver in
            let attempt = try #require(driver.handles.active.first?.attempt)
            let now = LoopClock.now()
            _ = attempt.noteSending(now)
            return (attempt.times.lastActivity, now)
        }
        // The time of the last byte, not of the check.
        #expect(heard < checked)
        transport.shutdown()
        _ = await answer
    }
}
