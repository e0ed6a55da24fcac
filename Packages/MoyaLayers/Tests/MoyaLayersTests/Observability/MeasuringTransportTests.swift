#if Metrics
    import Foundation
    import MetricsTestKit
    import MoyaCore
    @testable import MoyaLayers
    import MoyaTestSupport
    import MoyaTesting
    import Testing

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    @Suite(.timeLimit(.minutes(1))) struct MeasuringTransportTests {
        private let clock = TestClock()

        @Test func `metrics record the duration, active count and body sizes of an exchange`()
            async throws
        {
            let metrics = TestMetrics()
            let gate = GatedTransport()
            let transport = gate.measuring(with: metrics, clock: clock)
            async let response = transport.send(
                .test("PUT", body: .data(Data("four".utf8))))
            try await gate.waitForSends(1)
            let active = try #require(metrics.meters(label: "http.client.active_requests").first)
            #expect(active.lastValue == 1)
            clock.advance(by: 0.25)
            gate.answer { request in
                var response = try TransportResponse.test(request, 201)
                response.metrics.bytesReceived = 7
                return response
            }
            _ = try await response
            #expect(active.lastValue == 0)
            let timer = try #require(metrics.timers(label: "http.client.request.duration").first)
            #expect(timer.values == [250_000_000])
            #expect(
                timer.dimensions.map { "\($0.0)=\($0.1)" } == [
                    "http.request.method=PUT", "server.address=host.test", "server.port=80",
                    "http.response.status_code=201", "network.protocol.version=1.1",
                ])
            #expect(
                metrics.recorders(label: "http.client.request.body.size").map(\.values) == [[4]])
            #expect(
                metrics.recorders(label: "http.client.response.body.size").map(\.values) == [[7]])
        }

        @Test func `the duration metric of a failed exchange has its error type`() async throws {
            let metrics = TestMetrics()
            let stub = StubTransport(.failure(.timedOut))
            _ = try? await stub.measuring(with: metrics, clock: clock).send(.test())
            let timer = try #require(metrics.timers(label: "http.client.request.duration").first)
            #expect(timer.dimensions.contains { $0 == ("error.type", "timeout") })
        }
    }
#endif
