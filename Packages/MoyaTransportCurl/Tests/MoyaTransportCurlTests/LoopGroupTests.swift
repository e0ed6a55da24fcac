import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTesting
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Distribution of requests over a transport's threads.
@Suite(.timeLimit(.minutes(3))) struct LoopGroupTests {
    private func transferCounts(of transport: CurlTransport) async throws -> [Int] {
        var counts: [Int] = []
        for loop in try transport.allLoops() {
            counts.append(try await loop.perform { $0.handles.active.count })
        }
        return counts
    }

    @Test func `a thread has 64 transfers before the next thread gets one`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.threads = 2
        configuration.maxConnectionsPerHost = 0
        let transport = try CurlTransport(configuration: configuration)
        let request = TransportRequest.patient(server, "/stall")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<64 { group.addTask { _ = try await transport.send(request) } }
            _ = try await server.waitForRequests(64)
            group.addTask { _ = try await transport.send(request) }
            _ = try await server.waitForRequests(65)
            #expect(try await transferCounts(of: transport) == [64, 1])
            group.cancelAll()
            while let result = await group.nextResult() {
                #expect(throws: URLError(.cancelled)) { try result.get() }
            }
        }
    }

    // An immediate task runs synchronously, inside libcurl's callback on the transport's thread.
    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, *)
    @Test func `a request sent by an immediate task of a progress handler gets its response`()
        async throws
    {
        let server = try MockServer()
        defer { server.stop() }
        let transport = CurlTransport()
        let inner = TransportRequest.patient(server)
        let (answers, answer) = AsyncStream<Int?>.makeStream()
        var outer = TransportRequest.patient(server, "/bytes/10")
        outer.progress = { _ in
            Swift.Task.immediate {
                answer.yield(try? await transport.send(inner).head.statusCode)
                answer.finish()
            }
        }
        #expect(try await transport.send(outer).head.statusCode == 200)
        #expect(await answers.first { _ in true } == 200)
    }
}
