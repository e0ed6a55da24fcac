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

    @Suite struct StreamMetricsTests {
        @Test(arguments: [nil, URLError(.networkConnectionLost)])
        func `metrics count a streamed request as active until its body ends`(error: URLError?)
            async throws
        {
            let metrics = TestMetrics()
            let clock = TestClock()
            let source = GatedStreamTransport()
            let response = try await source.measuring(with: metrics, clock: clock)
                .send(.test(destination: .stream))
            let active = try #require(metrics.meters(label: "http.client.active_requests").first)
            #expect(active.lastValue == 1)
            #expect(metrics.timers(label: "http.client.request.duration").isEmpty)
            clock.advance(by: 2)
            source.finish(error)
            _ = try? await response.streamed()
            #expect(active.lastValue == 0)
            let timer = try #require(metrics.timers(label: "http.client.request.duration").first)
            #expect(timer.values == [2_000_000_000])
            #expect(
                timer.dimensions.contains { $0 == ("error.type", "connection_lost") }
                    == (error != nil))
        }

        @Test func `metrics do not count a released stream as active`() async throws {
            let metrics = TestMetrics()
            let source = GatedStreamTransport()
            let transport = source.measuring(with: metrics)
            _ = try await transport.send(.test(destination: .stream))
            let active = try #require(metrics.meters(label: "http.client.active_requests").first)
            #expect(active.lastValue == 0)
            #expect(source.stopCount == 1)
        }
    }
#endif
