import Foundation
import MoyaCore
import MoyaTesting
import MoyaTransportFoundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct TimeoutTests {
    @Test(
        arguments: [
            .infinity, -.infinity, .nan, .greatestFiniteMagnitude, 1e15, 0, -1, 86_400,
        ] as [TimeInterval])
    func `a timeout interval that bounds nothing leaves the request unbounded`(
        interval: TimeInterval
    ) async throws {
        let server = try MockServer()
        defer { server.stop() }
        var request = URLRequest(url: server.url.appendingPathComponent("get"))
        request.timeoutInterval = interval
        let response = try await FoundationTransport().send(TransportRequest(request))
        #expect(response.head.statusCode == 200)
    }
}
