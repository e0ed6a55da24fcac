#if AsyncHTTPClient
    import AsyncHTTPClient
    import MoyaCore
    import NIOConcurrencyHelpers
    import NIOCore
    import NIOSSL

    /// Transport that sends requests with async-http-client: HTTP/1.1, and HTTP/2 if the server
    /// offers it.
    ///
    /// ```swift
    /// let transport = HTTPClientTransport(sharing: application.http.client.shared)
    /// let provider = MoyaProvider<GitHub>(transport: transport)
    /// ```
    ///
    /// Redirects and authentication challenges are handled here instead of in the client, so that
    /// they behave like in the other transports. The transport stores no cookies. It can be shared between providers and used from any thread.
    public final class HTTPClientTransport: Transport {
        let client: HTTPClient
        /// Whether this transport still has to shut the client down.
        private let ownsClient: NIOLockedValueBox<Bool>
        private let authentications = AuthenticationCache()

        /// Creates a transport that shares `client`. The owner of the client shuts it down after
        /// the last request.
        ///
        /// - Parameter client: Client whose `redirectConfiguration` is `.disallow`. Otherwise the
        ///   client follows redirects itself, and a response after such a redirect fails the
        ///   request with `URLError(.redirectToNonExistentLocation)`. Proxy, TLS options, timeouts
        ///   and decompression are those of the client.
        public init(sharing client: HTTPClient) {
            self.client = client
            ownsClient = NIOLockedValueBox(false)
        }

        /// Creates a transport with a separate client. ``shutdown()`` shuts the client down, or its
        /// deallocation does: after the transport and all streamed responses have been released.
        ///
        /// - Parameters:
        ///   - configuration: Timeouts, TLS options, proxy and connection pool. Its
        ///     `redirectConfiguration` is ignored.
        ///   - eventLoopGroup: Event loops of the client.
        public init(
            configuration: HTTPClient.Configuration = defaultConfiguration,
            eventLoopGroup: any EventLoopGroup = HTTPClient.defaultEventLoopGroup
        ) {
            var configuration = configuration
            configuration.redirectConfiguration = .disallow
            client = HTTPClient(eventLoopGroup: eventLoopGroup, configuration: configuration)
            ownsClient = NIOLockedValueBox(true)
        }

        /// Client configuration that matches the other transports: TLS 1.2 or later, decompression,
        /// and no repetition of failed connection attempts. The request's `timeoutInterval` limits
        /// the wait for a connection.
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
            // The closure retains the client until it has shut down.
            if takeClient() { client.shutdown { [client] _ in withExtendedLifetime(client) {} } }
        }

        /// Cancels all exchanges and closes all connections of a separate client. Later requests
        /// fail with `URLError(.cancelled)`. Has no effect on a shared client. Further calls have
        /// no effect.
        public func shutdown() async {
            guard takeClient() else { return }
            await withCheckedContinuation { continuation in
                client.shutdown { _ in continuation.resume() }
            }
        }

        /// Claims the shutdown. Returns `true` once, and only for a separate client.
        private func takeClient() -> Bool {
            ownsClient.withLockedValue { ownsClient in
                defer { ownsClient = false }
                return ownsClient
            }
        }

        /// Sends a request, and follows redirects and answers authentication challenges according
        /// to the request.
        ///
        /// - Throws: `RequestError` for an invalid request; `URLError`; errors of a streamed
        ///   request body.
        public func send(_ request: TransportRequest) async throws -> TransportResponse {
            try await request.followingRedirects { request in
                try await request.answeringChallenges(authentications) { request in
                    try await Exchange(request, over: self).perform()
                }
            }
        }
    }
#endif
