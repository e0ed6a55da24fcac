import Foundation
import MoyaCore
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests that wait inside libcurl for a connection that is being opened.
@Suite(.timeLimit(.minutes(3))) struct ConnectingHostTests {
    private static let second: UInt64 = 1_000_000_000

    /// While the connection is being opened, the loop restarts the wait every second, so that
    /// `connectionWaitTimeout` counts only the time after that.
    @Test func `the time in which a connection is being opened is not part of the wait for it`()
        async throws
    {
        let listener = try DeafListener()
        defer { listener.stop() }
        let url = try #require(URL(string: "https://127.0.0.1:\(listener.port)/"))
        var configuration = CurlTransport.Configuration()
        configuration.threads = 1
        configuration.connectTimeout = 600
        configuration.connectionWaitTimeout = 1_000
        let transport = try CurlTransport(configuration: configuration)
        let loop = try transport.firstLoop()
        let request = TransportRequest(URLRequest(url: url, timeoutInterval: 10_000))
        let tasks = (0..<2).map { _ in Task { try await transport.send(request) } }
        // The first request opens the connection that the second waits for.
        try await until {
            try await loop.perform {
                $0.handles.active.count == 2 && Self.waiting(on: $0).count == 1
            }
        }
        let submitted = try await loop.perform { driver -> UInt64 in
            let attempt = try #require(Self.waiting(on: driver).first)
            return attempt.times.submitted
        }
        // A second after the timeout, if it counted from the start.
        let start = submitted + 1_001 * Self.second
        #expect(try await waitStart(checkedAt: start, on: loop) == start)
        let earlier = start + Self.second / 2
        #expect(try await waitStart(checkedAt: earlier, on: loop) == start)
        let later = start + Self.second
        #expect(try await waitStart(checkedAt: later, on: loop) == later)
        for task in tasks {
            task.cancel()
            _ = await task.result
        }
    }

    private static func waiting(on driver: CurlDriver) -> [Attempt] {
        driver.handles.attempts.filter { $0.waitsForConnection }
    }

    /// Has the loop check its timeouts as at `time`. Returns when the wait of the waiting request
    /// began.
    private func waitStart(checkedAt time: UInt64, on loop: CurlLoop) async throws -> UInt64? {
        try await loop.perform { driver -> UInt64? in
            driver.checkTimes(asAt: time)
            return Self.waiting(on: driver).first?.transfer.state.waitingSince
        }
    }
}
