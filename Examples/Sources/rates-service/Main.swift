#if ServiceLifecycle
    import Foundation
    import Logging
    import MoyaKit
    import MoyaTransportCurl
    import ServiceLifecycle
    import UnixSignals

    /// A program that keeps exchange rates up to date until it gets SIGTERM or SIGINT.
    @main
    enum Main {
        static func main() async throws {
            guard let baseURL = CommandLine.arguments.dropFirst().first.flatMap({ URL(string: $0) })
            else {
                print("usage: rates-service URL")
                exit(2)
            }
            let logger = Logger(label: "rates-service")
            try await services(for: baseURL, logger: logger, signals: [.sigterm, .sigint]).run()
        }

        /// Returns the services of the program, in the order in which they start.
        static func services(
            for baseURL: URL, logger: Logger, signals: [UnixSignal] = []
        ) throws -> ServiceGroup {
            // One transport for the whole process: its connections are shared.
            var configuration = CurlTransport.Configuration()
            configuration.connectTimeout = 2
            configuration.maxConnectionsPerHost = 16
            let network = try CurlTransport(configuration: configuration)
            let transport =
                network
                .timingOut(after: 5)
                .breakingCircuit()
                .limitingConcurrency(perHost: 16)
                .retrying(.exponential())
                .timingOut(after: 20)
            let feed = RatesFeed(
                LatestRates(baseURL: baseURL, currency: "EUR"), over: transport,
                every: 60)
            return ServiceGroup(
                services: [TransportService(network), feed], gracefulShutdownSignals: signals,
                logger: logger)
        }
    }
#else
    @main
    enum Main {
        static func main() {
            print("Turn on the trait ServiceLifecycle: swift run --traits ServiceLifecycle")
        }
    }
#endif
