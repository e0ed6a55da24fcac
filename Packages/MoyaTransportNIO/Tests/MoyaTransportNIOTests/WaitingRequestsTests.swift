#if AsyncHTTPClient
    import Foundation
    import MoyaCore
    import MoyaMockServer
    import MoyaTransportNIO
    import NIOConcurrencyHelpers
    import Testing

    @Suite(.timeLimit(.minutes(5))) struct WaitingRequestsTests {
        private func code(_ body: () async throws -> TransportResponse) async -> URLError.Code? {
            do {
                _ = try await body()
                return nil
            } catch { return (error as? URLError)?.code }
        }

        @Test func `20,000 requests that wait for a host end when they are cancelled`()
            async throws
        {
            let server = try MockServer { _ in .silence(then: .stall) }
            defer { server.stop() }
            let transport = HTTPClientTransport()
            let request = TransportRequest(URLRequest(url: server.url, timeoutInterval: 600))
            let tasks = (0..<20_000).map { _ in
                Task { await code { try await transport.send(request) } }
            }
            _ = try await server.waitForRequests(8)
            // The last ones first, which is the worst order for a queue that is searched.
            for task in tasks.reversed() { task.cancel() }
            for task in tasks { #expect(await task.value == .cancelled) }
        }

        @Test func `100,000 requests at once all get their responses`() async throws {
            let server = try RawServer { connection in
                var rest = Data()
                while true {
                    let more = connection.read()
                    guard !more.isEmpty else { return }
                    rest += more
                    while let end = rest.range(of: Data("\r\n\r\n".utf8)) {
                        rest.removeSubrange(..<end.upperBound)
                        connection.write("HTTP/1.1 204 No Content\r\n\r\n")
                    }
                }
            }
            defer { server.stop() }
            let transport = HTTPClientTransport()
            let request = TransportRequest(URLRequest(url: server.url, timeoutInterval: 600))
            let tasks = (0..<100_000).map { _ in
                Task { try await transport.send(request).head.statusCode }
            }
            var count = 0
            for task in tasks where try await task.value == 204 { count += 1 }
            #expect(count == 100_000)
        }

        @Test func `a waiting request times out after its timeoutInterval`() async throws {
            let server = try MockServer { _ in .silence(then: .stall) }
            defer { server.stop() }
            let transport = HTTPClientTransport()
            let long = TransportRequest(URLRequest(url: server.url, timeoutInterval: 600))
            let others = (0..<600).map { _ in Task { try await transport.send(long) } }
            defer { for other in others { other.cancel() } }
            _ = try await server.waitForRequests(8)
            let short = TransportRequest(URLRequest(url: server.url, timeoutInterval: 0.2))
            #expect(await code { try await transport.send(short) } == .timedOut)
        }
    }
#endif
