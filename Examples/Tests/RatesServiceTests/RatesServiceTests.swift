#if ServiceLifecycle
    import Foundation
    import Logging
    import MoyaKit
    import MoyaMockServer
    import MoyaStubs
    import ServiceLifecycle
    import Testing

    @testable import rates_service

    @Suite(.timeLimit(.minutes(1))) struct RatesServiceTests {
        private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

        @Test
        func `The feed is ready after its first response, and keeps the rates after a failure`()
            async throws
        {
            let stub = StubTransport(
                try .json(Rates(rates: ["USD": 1.1])), .response(503))
            let baseURL = try #require(URL(string: "https://rates.test"))
            let feed = RatesFeed(
                LatestRates(baseURL: baseURL, currency: "EUR"), over: stub, every: 0.001)
            #expect(await !feed.isReady)
            let group = ServiceGroup(services: [feed], logger: logger)
            let running = Task { try await group.run() }
            while stub.requests.count < 2 { await Task.yield() }
            #expect(await feed.rates == Rates(rates: ["USD": 1.1]))
            await group.triggerGracefulShutdown()
            try await running.value
        }

        @Test func `The program reads the rates, and ends at a graceful shutdown`() async throws {
            let server = try MockServer { _ in .json(Rates(rates: ["USD": 1.1])) }
            defer { server.stop() }
            let group = try Main.services(for: server.url, logger: logger)
            let running = Task { try await group.run() }
            let request = try await server.waitForRequests(1).first
            #expect(request?.path == "/latest/EUR")
            await group.triggerGracefulShutdown()
            try await running.value
        }
    }
#endif
