import Foundation
import MoyaCore

#if ServiceLifecycle
    import ServiceLifecycle

    /// Shuts a transport down when the program ends: a service of swift-service-lifecycle. Requires
    /// the package trait `ServiceLifecycle`.
    ///
    /// ```swift
    /// let transport = CurlTransport()
    /// let group = ServiceGroup(
    ///     services: [TransportService(transport), server], gracefulShutdownSignals: [.sigterm],
    ///     logger: logger)
    /// try await group.run()
    /// ```
    ///
    /// A service group ends its services in reverse order. List a transport before the services
    /// that send requests over it.
    public struct TransportService: Service {
        private let transport: any ClosableTransport
        private let limit: TimeInterval

        /// - Parameters:
        ///   - transport: The transport next to the network, inside the layers.
        ///   - limit: How long a graceful shutdown waits for requests in progress, in seconds. Only
        ///     CurlTransport waits: the others cancel them at once.
        public init(_ transport: any ClosableTransport, draining limit: TimeInterval = 10) {
            self.transport = transport
            self.limit = limit
        }

        /// Waits for the graceful shutdown of the service group, and then for the transport's. If
        /// the task is cancelled, requests in progress are cancelled.
        public func run() async throws {
            // Throws if the task is cancelled. The transport is then shut down as well.
            try? await gracefulShutdown()
            await transport.shutdown(draining: limit)
        }
    }
#else
    /// Stand-in without the trait `ServiceLifecycle`. Using it is a compile error that names the
    /// trait.
    @available(
        *, unavailable,
        message:
            "Turn on the trait ServiceLifecycle: .package(url: …, traits: [\"ServiceLifecycle\"])"
    )
    public struct TransportService: Sendable {
        public init(_ transport: Any, draining limit: TimeInterval = 10) {}
    }
#endif
