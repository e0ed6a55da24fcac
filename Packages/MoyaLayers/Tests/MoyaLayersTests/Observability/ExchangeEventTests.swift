import Foundation
import MoyaCore
@testable import MoyaLayers
import MoyaMockServer
import MoyaTestSupport
import MoyaTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(3))) struct ExchangeEventTests {
    private let exchanges = Recorder<String>()
    private let ends = Recorder<Void>()

    private func observed(_ carrier: Carrier) -> any Transport {
        let (exchanges, ends) = (exchanges, ends)
        return carrier.transport.observing { event in
            switch event {
            case .exchanged(_, .success(let response), let metrics):
                exchanges.record("\(response.head.statusCode) \(metrics.bytesReceived)")
            case .exchanged(_, let outcome, _):
                exchanges.record(SemanticConventions.errorType(outcome) ?? "")
            case .ended: ends.record(())
            default: break
            }
        }
    }

    @Test(arguments: Carrier.allCases)
    func `an observer sees the exchange of each redirect, with its bytes`(carrier: Carrier)
        async throws
    {
        let server = try MockServer { request in
            request.path == "/" ? .redirect(to: "/next") : .text("hello")
        }
        defer { server.stop() }
        let transport = observed(carrier)
        for destination in [ResponseDestination.memory(), .stream] {
            let request = TransportRequest.test(
                "GET", server.url.absoluteString, destination: destination)
            let response = try await transport.send(request)
            if case .stream(let stream) = response.body { for try await _ in stream {} }
        }
        try await until { ends.count == 2 }
        #expect(exchanges.items == ["302 0", "200 5", "302 0", "200 5"])
    }

    @Test(arguments: Carrier.allCases)
    func `an observer sees the exchange with a server that cannot be reached`(carrier: Carrier)
        async throws
    {
        let port = try ClosedPort()
        _ = try? await observed(carrier).send(.test("GET", port.url.absoluteString))
        withExtendedLifetime(port) {}
        #expect(exchanges.items == ["connection_error"])
        #expect(ends.count == 1)
    }
}
