#if Logging
    import Foundation
    import Logging
    import MoyaCore
    import MoyaInternals
    @testable import MoyaLayers
    @testable import MoyaPlugins
    import MoyaTestSupport
    import MoyaTesting
    import Testing

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    @Suite struct LoggingTransportTests {
        private let lines = Recorder<String>()
        private var logger: Logger {
            Logger(label: "test") { [lines] _ in LineLogHandler(lines: lines) }
        }

        @Test func `exchanges are logged, failures as warnings and with secrets masked`() async {
            let stub = StubTransport(.response(200), .response(503), .failure(.timedOut))
            let transport = stub.logging(to: logger, clock: TestClock())
            for _ in 0..<3 {
                _ = try? await transport.send(
                    .test("GET", "http://host.test/a?token=hush", headers: ["Cookie": "hush"]))
            }
            let common = "http.request.method=GET"
            let address = "url.full=http://host.test/a?token=***"
            let began = "debug HTTP request began \(common) \(address)"
            #expect(
                lines.items == [
                    began,
                    "info HTTP request ended duration=0.0 \(common) "
                        + "http.response.status_code=200 \(address)",
                    began,
                    "warning HTTP request ended duration=0.0 error.type=503 \(common) "
                        + "http.response.status_code=503 \(address)",
                    began,
                    "warning HTTP request failed duration=0.0 "
                        + "error.message=The request timed out. error.type=timeout \(common) "
                        + address,
                ])
        }

        @Test func `a cancelled request is logged at info, because it is no failure`() async {
            for error in [URLError(.cancelled), CancellationError()] as [any Error] {
                let transport = StubTransport { _ in throw error }
                    .logging(to: logger, clock: TestClock())
                _ = try? await transport.send(.test("GET", "http://host.test/a"))
                #expect(
                    lines.items.last?.hasPrefix(
                        "info HTTP request cancelled duration=0.0 "
                            + "error.message=The request was cancelled. ") == true)
            }
        }

        private struct DiskError: Error {
            let reason = "disk is full"
            let token = "hush"
        }

        @Test func `the line of a failed request has the error's text with secrets masked`() async {
            let transport = StubTransport { _ in throw DiskError() }
                .logging(to: logger, clock: TestClock())
            _ = try? await transport.send(.test("GET", "http://host.test/a"))
            #expect(
                lines.items.last?.contains(
                    #"error.message=DiskError(reason: "disk is full", token: "***") "#) == true)
        }

        @Test
        func `the request of a transfer that starts again is logged as a notice with the reason`()
            async throws
        {
            let transport = StubTransport(.response(201)).logging(to: logger, clock: TestClock())
            _ = try await RequestNote.$current.withValue("The file has changed.") {
                try await transport.send(.test("POST", "http://host.test/files"))
            }
            #expect(
                lines.items.first
                    == "notice HTTP request of a transfer that starts again "
                    + "http.request.method=POST note=The file has changed. "
                    + "url.full=http://host.test/files")
        }

        @Test(arguments: [
            NetworkLoggerPlugin.Configuration.LogOptions.default, .formatRequestAscURL,
        ])
        func `NetworkLoggerPlugin logs why a transfer starts again`(
            options: NetworkLoggerPlugin.Configuration.LogOptions
        ) async throws {
            let entries = Recorder<String>()
            let configuration = NetworkLoggerPlugin.Configuration(
                output: { _, items in items.forEach { entries.record($0) } }, logOptions: options)
            let provider = MoyaProvider<Thing>(
                transport: StubTransport { try .test($0) },
                plugins: [NetworkLoggerPlugin(configuration: configuration)])
            _ = try await RequestNote.$current.withValue("The file has changed.") {
                try await provider.request(Thing())
            }
            #expect(entries.items.filter { $0.contains("The file has changed.") }.count == 1)
        }

        @Test func `NetworkLoggerPlugin can write its entries to swift-log`() async throws {
            let output = NetworkLoggerPlugin.Configuration.output(to: logger, level: .notice)
            let plugin = NetworkLoggerPlugin(configuration: .init(output: output))
            let provider = MoyaProvider<Thing>(
                transport: StubTransport { try .test($0) }, plugins: [plugin])
            _ = try await provider.request(Thing())
            #expect(!lines.items.isEmpty)
            #expect(lines.items.allSatisfy { $0.hasPrefix("notice Moya_Logger:") })
        }
    }
#endif
