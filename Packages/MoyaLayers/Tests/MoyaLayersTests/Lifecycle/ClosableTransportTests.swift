import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import MoyaTransportCurl
import MoyaTransportFoundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A transport without requests in progress.
private struct Plain: ClosableTransport {
    let shutdowns = Recorder<Void>()

    func send(_ request: TransportRequest) async throws -> TransportResponse { try .test(request) }
    func shutdown() async { shutdowns.record(()) }
}

@Suite(.timeLimit(.minutes(3))) struct ClosableTransportTests {
    @Test(arguments: [nil, 0, 10] as [TimeInterval?])
    func `every transport refuses requests after its shutdown`(limit: TimeInterval?) async throws {
        let server = try MockServer()
        defer { server.stop() }
        let transports: [any ClosableTransport] = [
            CurlTransport(), FoundationTransport(), Session(),
        ]
        for transport in transports {
            let request = TransportRequest.test("GET", server.url.absoluteString)
            _ = try await transport.send(request)
            for _ in 0..<2 {
                if let limit {
                    await transport.shutdown(draining: limit)
                } else {
                    await transport.shutdown()
                }
            }
            #expect(await urlErrorCode { try await transport.send(request) } == .cancelled)
        }
    }

    @Test func `a transport that cannot drain shuts down at once`() async {
        let transport = Plain()
        await transport.shutdown(draining: 10)
        #expect(transport.shutdowns.count == 1)
    }
}
