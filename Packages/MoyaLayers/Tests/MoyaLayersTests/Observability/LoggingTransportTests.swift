#if Logging
    import Foundation
    import Logging
    import MoyaCore
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
                    "warning HTTP request failed duration=0.0 error.type=timeout \(common) "
                        + address,
                ])
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
