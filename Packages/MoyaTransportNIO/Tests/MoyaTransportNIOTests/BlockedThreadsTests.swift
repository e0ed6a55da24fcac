#if AsyncHTTPClient && (os(macOS) || os(Linux))
    import Foundation
    import MoyaCore
    import MoyaMockServer
    import MoyaTransportNIO
    import Testing

    @Suite(.timeLimit(.minutes(1))) struct BlockedThreadsTests {
        /// In a process of its own, because other tests need threads, too.
        @Test func `a response that arrives while no thread can read it does not time out`()
            async throws
        {
            await #expect(processExitsWith: .success) {
                let server = try MockServer { _ in MockResponse.text("there").delayed(by: 0.3) }
                defer { server.stop() }
                let transport = HTTPClientTransport()
                let request = TransportRequest(URLRequest(url: server.url, timeoutInterval: 1))
                let sending = Task { try await transport.send(request) }
                _ = try await server.waitForRequests(1)
                for _ in 0..<ProcessInfo.processInfo.activeProcessorCount {
                    Task { usleep(2_500_000) }
                }
                #expect(try await sending.value.head.statusCode == 200)
            }
        }
    }
#endif
