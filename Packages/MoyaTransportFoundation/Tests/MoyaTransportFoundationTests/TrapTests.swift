import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import MoyaTransportFoundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Pitfalls of URLSession without a suite of their own. The README assigns them to tests.
@Suite struct TrapTests {
    // URLSession returns no resume data for a cancelled download.
    @Test func `a cancelled download fails as cancelled and leaves no file`() async throws {
        let server = try MockServer { _ in
            MockResponse(body: .pattern(byteCount: 100_000)).truncated(after: 50_000, then: .stall)
        }
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let file = folder.file()
        let (arrived, arrival) = AsyncStream<Void>.makeStream()
        let request = TransportRequest(
            URLRequest(url: server.url, timeoutInterval: 120), destination: .file(file),
            progress: { _ in arrival.finish() })
        let task = Task { try await FoundationTransport().send(request) }
        try await waitForEvent(in: arrived)
        task.cancel()
        let error = await #expect(throws: URLError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    // With a delegate, URLSession's caching differs from its caching without one.
    @Test func `no response is cached although header fields and session allow it`()
        async throws
    {
        let server = try MockServer { _ in
            .text("hello").adding("Cache-Control", "max-age=3600").adding("ETag", "\"1\"")
        }
        defer { server.stop() }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
        #if os(Linux)
            let transports: [any Transport] = [
                FoundationTransport(), Session(configuration: configuration),
            ]
        #else
            let transports: [any Transport] = [FoundationTransport()]
        #endif
        for transport in transports {
            for _ in 0..<2 {
                _ = try await transport.send(TransportRequest(URLRequest(url: server.url)))
            }
        }
        let request = URLRequest(url: server.url, cachePolicy: .returnCacheDataDontLoad)
        for transport in transports {
            let error = await #expect(throws: URLError.self) {
                try await transport.send(TransportRequest(request))
            }
            #expect(error?.code == .resourceUnavailable)
        }
        #expect(server.requests.count == transports.count * 2)
        #expect(server.requests.allSatisfy { $0.value(for: "If-None-Match") == nil })
    }

    // If the server rejected the expectation, libcurl would repeat the request, and URLSession
    // would receive two responses.
    @Test func `the caller's Expect field is not sent`() async throws {
        let server = try MockServer { request in
            request.value(for: "Expect") == nil
                ? .text("hello") : .text("not here", status: 417)
        }
        defer { server.stop() }
        var request = URLRequest(url: server.url)
        request.httpMethod = "PUT"
        request.setValue("100-continue", forHTTPHeaderField: "Expect")
        let response = try await FoundationTransport().send(
            TransportRequest(request, body: .data(Data("body".utf8))))
        #expect(response.head.statusCode == 200)
    }

    // Creating a task on an invalidated session ends the process.
    @Test
    func `requests sent during a shutdown all end with a response or as cancelled`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let request = TransportRequest(URLRequest(url: server.url.appendingPathComponent("get")))
        for round in 0..<50 {
            let transport = FoundationTransport()
            await withTaskGroup(of: Void.self) { group in
                for id in 0..<8 {
                    group.addTask {
                        for _ in 0..<((round + id) % 8) { await Task.yield() }
                        do {
                            let response = try await transport.send(request)
                            #expect(response.head.statusCode == 200)
                        } catch {
                            #expect((error as? URLError)?.code == .cancelled, "\(error)")
                        }
                    }
                }
                for _ in 0..<(round % 5) { await Task.yield() }
                transport.shutdown()
            }
        }
    }
}
