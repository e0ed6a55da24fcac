#if ServiceLifecycle
    import Foundation
    import MoyaKit
    import ServiceLifecycle

    /// Reads the exchange rates of an API repeatedly, and keeps the last ones.
    actor RatesFeed: Service {
        /// The last exchange rates. `nil` before the first response.
        private(set) var rates: Rates?
        private var readAt: Date?

        private let provider: MoyaProvider<LatestRates>
        private let target: LatestRates
        private let interval: TimeInterval

        /// - Parameter interval: Time between two requests, in seconds.
        init(
            _ target: LatestRates, over transport: any Transport, every interval: TimeInterval
        ) {
            self.target = target
            self.interval = interval
            provider = MoyaProvider(transport: transport)
        }

        /// Whether the program can do its work: the rates are not older than three intervals. For
        /// the readiness check. A liveness check must not depend on other servers: a restart does
        /// not repair them.
        var isReady: Bool { readAt.map { -$0.timeIntervalSinceNow <= interval * 3 } ?? false }

        /// Reads the rates until the program shuts down. A failure is no end: the last rates stay.
        func run() async throws {
            // Cancels a request or a pause when the graceful shutdown begins.
            try? await cancelWhenGracefulShutdown {
                while true {
                    await self.read()
                    try await Task.sleep(nanoseconds: UInt64(self.interval * 1e9))
                }
            }
        }

        private func read() async {
            guard let fresh = try? await provider.request(target) else { return }
            rates = fresh
            readAt = Date()
        }
    }
#endif
