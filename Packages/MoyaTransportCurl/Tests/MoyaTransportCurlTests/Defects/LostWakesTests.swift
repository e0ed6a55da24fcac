import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests that wait inside libcurl, beside requests to a host that cannot be reached.
@Suite(.timeLimit(.minutes(1))) struct LostWakesTests {
    /// With `hasLong`, the first of the requests that share a connection does not end.
    @Test(.requires(.nginx, .openssl), arguments: [false, true])
    func `requests to a host complete while others wait for an unreachable host`(
        hasLong: Bool
    ) async throws {
        let gate = DispatchSemaphore(value: 0)
        let behind = try MockServer { _ in
            gate.wait()
            return .text("x")
        }
        let listener = try DeafListener()
        defer {
            gate.signal()
            behind.stop()
            listener.stop()
        }
        let nginx = try await Nginx(before: behind.port)
        var configuration = CurlTransport.Configuration()
        configuration.threads = 1
        configuration.connectTimeout = 600
        configuration.tls.trust = .file(nginx.authority)
        let transport = try CurlTransport(configuration: configuration)
        let loop = try transport.firstLoop()
        let unreachable = try #require(URL(string: "https://127.0.0.1:\(listener.port)/"))
        let lost = (0..<40).map { _ in
            Task { try await transport.send(TransportRequest(.patient(unreachable))) }
        }
        try await until { try await loop.perform { $0.handles.active.count } == 40 }
        let urls = (0..<6).map { index in
            hasLong && index == 0 ? nginx.url.appendingPathComponent("behind/") : nginx.url
        }
        let tasks = urls.map { url in
            Task { try await transport.send(TransportRequest(.patient(url))).head.statusCode }
        }
        for task in tasks.dropFirst(hasLong ? 1 : 0) { #expect(try await task.value == 200) }
        gate.signal()
        #expect(try await tasks[0].value == 200)
        for task in lost {
            task.cancel()
            let error = await #expect(throws: URLError.self) { try await task.value }
            #expect(error?.code == .cancelled)
        }
    }
}
