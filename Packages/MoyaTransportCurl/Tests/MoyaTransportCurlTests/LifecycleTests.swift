import Foundation
import MoyaCore
import MoyaTesting
import MoyaTransportCurl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct LifecycleTests {
    private func request(_ server: MockServer, _ path: String = "/get") -> TransportRequest {
        TransportRequest(URLRequest(url: server.url.appendingPathComponent(path)))
    }

    @Test func `a transport that goes closes its connections, descriptors and thread`() async throws
    {
        let server = try MockServer()
        defer { server.stop() }
        let before = TransportConformance.Footprint.current()
        for _ in 0..<400 { _ = try await CurlTransport().send(request(server)) }
        try await server.waitUntilDisconnected()
        let after = TransportConformance.Footprint.current()
        // Other tests run at the same time. Anything left by each of the 400 would be more than this.
        #expect(after.descriptors - before.descriptors < 250)
        #expect(after.threads - before.threads < 250)
    }

    @Test func `shutdown cancels what is under way and refuses what comes`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let transport = CurlTransport()
        let request = request(server, "/stall")
        let task = Task { try await transport.send(request) }
        _ = try await server.waitForRequests(1)
        transport.shutdown()
        transport.shutdown()
        let error = await #expect(throws: URLError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        let later = await #expect(throws: URLError.self) { try await transport.send(request) }
        #expect(later?.code == .cancelled)
        try await server.waitUntilDisconnected()
    }

    @Test func `many requests leave the memory flat`() async throws {
        let server = try MockServer { _ in .text("x") }
        defer { server.stop() }
        let transport = CurlTransport()
        for _ in 0..<1000 { _ = try await transport.send(request(server)) }
        let before = TransportConformance.Footprint.current().residentKiB
        for _ in 0..<4000 { _ = try await transport.send(request(server)) }
        let after = TransportConformance.Footprint.current().residentKiB
        // The server records every request: about 2 KiB each. A kept response or handle would be more.
        #expect(after - before < 40 << 10)
    }
}

@Suite struct ConfigurationTests {
    @Test func `certificates that cannot be read are an error`() {
        var configuration = CurlTransport.Configuration()
        configuration.tls.trust = .file(URL(fileURLWithPath: "/nonexistent.pem"))
        let error = #expect(throws: CurlTransport.ConfigurationError.self) {
            try CurlTransport(configuration: configuration)
        }
        #expect(error?.description == "The certificate file /nonexistent.pem cannot be read.")
        configuration.tls.trust = .data(Data("no certificate".utf8))
        #expect(throws: CurlTransport.ConfigurationError.self) {
            try CurlTransport(configuration: configuration)
        }
    }

    @Test func `a whole exchange may be bounded`() async throws {
        let server = try MockServer { _ in
            MockResponse(
                body: .chunked(Array(repeating: Data("drip".utf8), count: 1000), interval: 0.02))
        }
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.exchangeTimeout = 0.3
        let transport = try CurlTransport(configuration: configuration)
        let error = await #expect(throws: URLError.self) {
            try await transport.send(TransportRequest(URLRequest(url: server.url)))
        }
        #expect(error?.code == .timedOut)
    }

    @Test func `connections to a host may be limited, and requests wait`() async throws {
        let server = try MockServer { _ in .text("x").delayed(by: 0.01) }
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.maxConnectionsPerHost = 2
        let transport = try CurlTransport(configuration: configuration)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try await transport.send(TransportRequest(URLRequest(url: server.url))).head
                        .statusCode
                }
            }
            for try await status in group { #expect(status == 200) }
        }
        #expect(server.connectionCount <= 2)
    }

    @Test func `tells the libcurl error under the URLError, and no secret`() async throws {
        let url = try #require(URL(string: "http://user:pass@127.0.0.1:1/path?token=abc"))
        let error = await #expect(throws: URLError.self) {
            try await CurlTransport().send(TransportRequest(URLRequest(url: url)))
        }
        let userInfo = try #require(error.map { ($0 as NSError).userInfo })
        #expect((userInfo[NSUnderlyingErrorKey] as? CurlError)?.code == 7)
        #expect(
            (userInfo[NSURLErrorFailingURLErrorKey] as? URL)?.absoluteString
                == "http://127.0.0.1:1/path")
        #expect(!"\(userInfo)".contains("abc"))
        #expect(!"\(userInfo)".contains("pass"))
    }
}
