import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTransportFoundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(3))) struct LifecycleTests {
    @Test func `FoundationTransport cancels active requests at its shutdown and refuses new ones`()
        async throws
    {
        let server = try MockServer()
        defer { server.stop() }
        let transport = FoundationTransport()
        let stall = server.url.appendingPathComponent("stall")
        let request = TransportRequest(URLRequest(url: stall, timeoutInterval: 120))
        let task = Task { try await transport.send(request) }
        _ = try await server.waitForRequests(1)
        transport.shutdown()
        transport.shutdown()
        let error = await #expect(throws: URLError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        let later = await #expect(throws: URLError.self) { try await transport.send(request) }
        #expect(later?.code == .cancelled)
    }

    @Test func `a deallocated transport closes its connections`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        for _ in 0..<20 {
            _ = try await FoundationTransport().send(TransportRequest(URLRequest(url: server.url)))
        }
        try await server.waitUntilDisconnected()
    }

    @Test func `an error hides the secrets of the URL`() async throws {
        let url = try #require(URL(string: "http://user:pass@127.0.0.1:1/path?token=abc"))
        let error = await #expect(throws: URLError.self) {
            try await FoundationTransport().send(TransportRequest(URLRequest(url: url)))
        }
        let userInfo = try #require(error.map { ($0 as NSError).userInfo })
        #expect(
            (userInfo[NSURLErrorFailingURLErrorKey] as? URL)?.absoluteString
                == "http://127.0.0.1:1/path")
    }
}
