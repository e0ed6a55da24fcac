import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Timeouts after the loop's thread was blocked.
@Suite(.timeLimit(.minutes(3))) struct BlockedLoopTests {
    /// More sockets are ready than one wait reports. In a child process, with its own descriptor
    /// limit.
    @Test(.requires(.descriptors(4096)))
    func
        `300 responses that arrive while the loop is blocked beyond the idle timeout are received`()
        async throws
    {
        await #expect(processExitsWith: .success) {
            try ResourceLimit.descriptors.set(4096)
            let gate = DispatchSemaphore(value: 0)
            let server = try MockServer { _ in
                gate.wait()
                return .text("x")
            }
            var configuration = CurlTransport.Configuration()
            configuration.threads = 1
            configuration.maxConnectionsPerHost = 0
            configuration.maxIdleConnections = 300
            let transport = try CurlTransport(configuration: configuration)
            @Sendable func sendAll(timeout: Double) async -> Int {
                let request = TransportRequest(
                    URLRequest(url: server.url, timeoutInterval: timeout))
                return
                    await withTaskGroup(of: Bool.self) { group in
                        for _ in 0..<300 {
                            group.addTask { (try? await transport.send(request)) != nil }
                        }
                        return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
                    }
            }
            // Opens the connections. libcurl has timers for new ones, which make it read.
            async let opened = sendAll(timeout: 60)
            _ = try await server.waitForRequests(300)
            for _ in 0..<300 { gate.signal() }
            #expect(await opened == 300)
            async let received = sendAll(timeout: 8)
            _ = try await server.waitForRequests(600)
            try await transport.firstLoop().perform { _ in
                for _ in 0..<300 { gate.signal() }
                // Longer than the idle timeout: the loop reads the real clock when it continues.
                Thread.sleep(forTimeInterval: 9)
            }
            #expect(await received == 300)
        }
    }
}
