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

        @Test func `metrics count retries, and time the wait in a queue`() async throws {
            let metrics = TestMetrics()
            let clock = TestClock(movesByItself: true)
            let stub = StubTransport(.response(503), .response(200))
            let limited = stub.limitingRate(with: RateLimiter(1, per: 1, clock: clock))
            let transport = limited.retrying(clock: clock).measuring(with: metrics, clock: clock)
            _ = try await transport.send(.test())
            let retries = try #require(metrics.counters(label: "moya.client.retries").first)
            #expect(retries.totalValue == 1)
            #expect(retries.dimensions.contains { $0 == ("error.type", "503") })
            _ = try await transport.send(.test())
            let waits = metrics.timers(label: "http.client.request.time_in_queue")
            #expect(waits.flatMap(\.values).count >= 1)
            let queued = try #require(metrics.meters(label: "moya.client.queued_requests").first)
            #expect(queued.lastValue == 0)
            #expect(queued.values.contains(1))
        }

        @Test func `metrics count open connections by state, and time closed ones`() async throws {
            let metrics = TestMetrics()
            let stub = StubTransport { request in
                let origin = "https://a.test:8443"
                request.observer?(.connection(origin: origin, .active, previous: nil))
                request.observer?(.connection(origin: origin, .idle, previous: .active))
                request.observer?(
                    .connection(origin: origin, .closed(lifetime: 2), previous: .idle))
                return try .test(request)
            }
            _ = try await stub.measuring(with: metrics, clock: clock).send(.test())
            let open = metrics.meters(label: "http.client.open_connections")
            let states = open.map { meter in
                let state = meter.dimensions.first { $0.0 == "http.connection.state" }?.1 ?? ""
                return "\(state) \(meter.values)"
            }
            #expect(states.sorted() == ["active [1.0, 0.0]", "idle [1.0, 0.0]"])
            let lifetime = try #require(
                metrics.timers(label: "http.client.connection.duration").first)
            #expect(lifetime.values == [2_000_000_000])
            #expect(
                lifetime.dimensions.map { "\($0.0)=\($0.1)" } == [
                    "server.address=a.test", "server.port=8443",
                ])
        }

        @Test func `metrics show whether a circuit is open`() async throws {
            let metrics = TestMetrics()
            let stub = StubTransport { try .test($0, 503) }
            let breaker = CircuitBreaker(clock: clock)
            let transport = stub.breakingCircuit(with: breaker).measuring(with: metrics)
            for _ in 0..<5 { _ = try await transport.send(.test("GET", "https://[::1]/")) }
            let open = try #require(
                metrics.meters(label: "moya.client.circuit_breaker.open").first)
            #expect(open.values == [1])
            #expect(open.dimensions.map(\.0) == ["server.address", "server.port"])
            #expect(open.dimensions.map(\.1).last == "443")
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
