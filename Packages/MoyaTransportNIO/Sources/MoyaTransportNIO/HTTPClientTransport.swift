#if AsyncHTTPClient
    import AsyncHTTPClient
    import MoyaCore
    import NIOConcurrencyHelpers
    import NIOCore
    import NIOSSL

    /// Carries requests over async-http-client: HTTP/1.1, and HTTP/2 where the server offers it.
    ///
    /// ```swift
    /// let provider = MoyaProvider<GitHub>(transport: HTTPClientTransport(sharing: application.http.client))
    /// ```
    ///
    /// Redirects and challenges are answered here and not by the client, so that they are the same as with the other
    /// transports. It keeps no cookies and no credentials. Share one transport between providers; it is safe to use
    /// from any thread.
    public final class HTTPClientTransport: Transport {
        private enum ClientOwnership {
            case shared
            case own
            case shutDown
        }

        let client: HTTPClient
        private let ownership: NIOLockedValueBox<ClientOwnership>
        private let nonces = DigestNonces()

        /// A transport over `client`, which its owner shuts down after the last request.
        ///
        /// - Parameter client: A client whose `redirectConfiguration` is `.disallow`. With another one the client follows
        ///   redirects before this transport sees them, and a response it reached that way fails the request with
        ///   `URLError(.redirectToNonExistentLocation)`. Proxy, TLS options, timeouts and decompression are the client's.
        public init(sharing client: HTTPClient) {
            self.client = client
            ownership = NIOLockedValueBox(.shared)
        }

        /// A transport with a client of its own, which is shut down by ``shutdown()``, or when the transport and the last
        /// stream of a response have been released.
        ///
        /// - Parameters:
        ///   - configuration: Timeouts, TLS options, proxy and connection pool. Its `redirectConfiguration` does not count.
        ///   - eventLoopGroup: The threads of the client.
        public init(
            configuration: HTTPClient.Configuration = defaultConfiguration,
            eventLoopGroup: any EventLoopGroup = HTTPClient.defaultEventLoopGroup
        ) {
            var configuration = configuration
            configuration.redirectConfiguration = .disallow
            client = HTTPClient(eventLoopGroup: eventLoopGroup, configuration: configuration)
            ownership = NIOLockedValueBox(.own)
        }

        /// The configuration of a client that behaves as the other transports do: TLS 1.2 at least, decompression, a failed
        /// connection is an error at once, and the time that a request waits for a connection is bounded by its own
        /// `timeoutInterval`.
        public static var defaultConfiguration: HTTPClient.Configuration {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.minimumTLSVersion = .tlsv12
            var configuration = HTTPClient.Configuration(
                tlsConfiguration: tls, redirectConfiguration: .disallow,
                timeout: .init(connect: .hours(1)), decompression: .enabled(limit: .none))
            configuration.connectionPool.retryConnectionEstablishment = false
            return configuration
        }

        deinit {
            // The closure keeps the client until it is shut down.
            if takeClient() { client.shutdown { [client] _ in withExtendedLifetime(client) {} } }
        }

        /// Cancels every exchange and closes every connection of a client of the transport's own. Requests made later fail
        /// with `URLError(.cancelled)`. Does nothing to a shared client. Later calls do nothing.
        public func shutdown() async {
            guard takeClient() else { return }
            await withCheckedContinuation { continuation in
                client.shutdown { _ in continuation.resume() }
            }
        }

        /// Whether the client is this transport's, and the caller the first to shut it down.
        private func takeClient() -> Bool {
            ownership.withLockedValue { ownership in
                guard case .own = ownership else { return false }
                ownership = .shutDown
                return true
            }
        }

        public func send(_ request: TransportRequest) async throws -> TransportResponse {
            try await request.followingRedirects { request in
                try await request.answeringChallenges(nonces) { request in
                    try await Exchange(request, over: self).perform()
                }
            }
        }
    }
#endif
