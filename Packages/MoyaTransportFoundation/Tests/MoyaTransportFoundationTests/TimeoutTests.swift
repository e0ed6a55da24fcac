import Foundation
import MoyaCore
import MoyaMockServer
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
    func `an infinite, invalid or long timeout interval does not end a request`(
        interval: TimeInterval
    ) async throws {
        let server = try MockServer()
        defer { server.stop() }
        var request = URLRequest(url: server.url.appendingPathComponent("get"))
        request.timeoutInterval = interval
        let response = try await FoundationTransport().send(TransportRequest(request))
        #expect(response.head.statusCode == 200)
    }

    private func transport(exchangeTimeout: TimeInterval) throws -> FoundationTransport {
        var configuration = FoundationTransport.Configuration()
        configuration.exchangeTimeout = exchangeTimeout
        return try FoundationTransport(configuration: configuration)
    }

    @Test func `the exchange timeout ends an exchange although bytes keep arriving`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let url = try #require(
            URL(string: server.url.absoluteString + "/drip?bytes=10000&delay=10"))
        let transport = try transport(exchangeTimeout: 0.3)
        let error = await #expect(throws: URLError.self) {
            try await transport.send(TransportRequest(URLRequest(url: url)))
        }
        #expect(error?.code == .timedOut)
        #expect(
            error?.localizedDescription == "The request exceeded its total timeout of 0.3 s.")
        try await server.waitUntilDisconnected()
    }

    @Test func `redirects share the exchange timeout`() async throws {
        let server = try MockServer { _ in .redirect(to: "/again").delayed(by: 0.05) }
        defer { server.stop() }
        let request = TransportRequest(
            URLRequest(url: server.url), redirectPolicy: .follow(limit: 10_000))
        let transport = try transport(exchangeTimeout: 0.3)
        let error = await #expect(throws: URLError.self) {
            try await transport.send(request)
        }
        #expect(error?.code == .timedOut)
    }

    @Test(arguments: [.infinity, .nan, 0, -1, .greatestFiniteMagnitude] as [TimeInterval])
    func `an infinite, invalid or huge exchange timeout does not limit the exchange`(
        seconds: TimeInterval
    ) async throws {
        let server = try MockServer()
        defer { server.stop() }
        let response = try await transport(exchangeTimeout: seconds).send(
            TransportRequest(URLRequest(url: server.url.appendingPathComponent("get"))))
        #expect(response.head.statusCode == 200)
    }
}
