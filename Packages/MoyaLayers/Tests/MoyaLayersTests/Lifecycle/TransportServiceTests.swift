#if ServiceLifecycle
    import Foundation
    import Logging
    import MoyaCore
    import MoyaLayers
    import MoyaMockServer
    import MoyaTestSupport
    import MoyaTesting
    import MoyaTransportCurl
    import ServiceLifecycle
    import Testing

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    /// A service that does something at its graceful shutdown.
    private struct Worker: Service {
        let starts = Recorder<Void>()
        var end: @Sendable () async throws -> Void = {}

        func run() async throws {
            starts.record(())
            try await gracefulShutdown()
            try await end()
        }
    }

    @Suite(.timeLimit(.minutes(3))) struct TransportServiceTests {
        private let gate = DispatchSemaphore(value: 0)

        /// A server that responds to `/slow` when the gate opens.
        private func server() throws -> MockServer {
            try MockServer { [gate] request in
                if request.path == "/slow" { gate.wait() }
                return .text("x")
            }
        }

        /// Runs a group of a transport and a worker. Returns when it has started: a group that ends
        /// before starts no service.
        private func start(
            _ transport: CurlTransport, _ worker: Worker = Worker()
        ) async throws -> (group: ServiceGroup, run: Task<Void, any Error>) {
            let group = ServiceGroup(
                services: [TransportService(transport, draining: 1000), worker],
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            let run = Task { try await group.run() }
            try await until { worker.starts.count == 1 }
            return (group, run)
        }

        @Test func `a graceful shutdown waits for requests in progress and refuses new requests`()
            async throws
        {
            let server = try server()
            defer { server.stop() }
            let transport = CurlTransport()
            let layered = transport.retrying(.exponential())
            let (group, run) = try await start(transport)
            let slow = Task {
                try await layered.send(.test("GET", "\(server.url)/slow")).head.statusCode
            }
            _ = try await server.waitForRequests(1)
            await group.triggerGracefulShutdown()
            try await until {
                await urlErrorCode { try await layered.send(.test("GET", "\(server.url)")) }
                    == .cancelled
            }
            gate.signal()
            #expect(try await slow.value == 200)
            try await run.value
        }

        @Test func `a service after the transport sends requests until the service has ended`()
            async throws
        {
            let server = try server()
            defer { server.stop() }
            let transport = CurlTransport()
            let statuses = Recorder<Int>()
            let worker = Worker {
                let response = try await transport.send(.test("GET", "\(server.url)"))
                statuses.record(response.head.statusCode)
            }
            let (group, run) = try await start(transport, worker)
            await group.triggerGracefulShutdown()
            try await run.value
            #expect(statuses.items == [200])
        }

        @Test func `cancelling a service group cancels requests in progress`() async throws {
            let server = try server()
            defer { server.stop() }
            let transport = CurlTransport()
            let (_, run) = try await start(transport)
            let slow = Task {
                await urlErrorCode {
                    try await transport.send(.test("GET", "\(server.url)/slow"))
                }
            }
            _ = try await server.waitForRequests(1)
            run.cancel()
            #expect(await slow.value == .cancelled)
            gate.signal()
            _ = await run.result
        }
    }
#endif
