#if AsyncHTTPClient
    import AsyncHTTPClient
    import MoyaCore
    import NIOConcurrencyHelpers
    import NIOCore
    import NIOHTTP2
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
    /// they behave like in the other transports. The transport stores no cookies. It can be shared
    /// between providers and used from any thread.
    public final class HTTPClientTransport: ClosableTransport {
        let client: HTTPClient
        /// Requests that are waiting for the client.
        let queue: RequestQueue
        let deadlines: Deadlines
        private let isShared: Bool
        /// Whether this transport still has to shut the client down.
        private let ownsClient: NIOLockedValueBox<Bool>
        private let authentications = AuthenticationCache()

        /// Number of requests to a host that the client gets at once. It is more than the client's
        /// limit of connections, because requests share HTTP/2 connections, and few enough for the
        /// client's queue, whose cost per request grows with its length.
        private static let requestsPerHost = 500

        /// Creates a transport that shares `client`. The owner of the client shuts it down after
        /// the last request.
        ///
        /// - Parameter client: Client whose `redirectConfiguration` is `.disallow`. Otherwise the
        ///   client follows redirects itself, and a response after such a redirect fails the
        ///   request with `URLError(.redirectToNonExistentLocation)`. Proxy, TLS options, timeouts
        ///   and decompression are those of the client.
        public init(sharing client: HTTPClient) {
            self.client = client
            queue = RequestQueue(limit: Self.requestsPerHost)
            deadlines = Deadlines(on: client.eventLoopGroup.any())
            isShared = true
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
            configuration.guardConnections()
            client = HTTPClient(eventLoopGroup: eventLoopGroup, configuration: configuration)
            let connections = configuration.connectionPool
                .concurrentHTTP1ConnectionsPerHostSoftLimit
            queue = RequestQueue(limit: max(Self.requestsPerHost, connections))
            deadlines = Deadlines(on: client.eventLoopGroup.any())
            isShared = false
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

        /// Whether ``shutdown()`` has been called for a separate client.
        var isShutDown: Bool { !isShared && ownsClient.withLockedValue { !$0 } }

        /// Returns how often a request may be sent again after `error` if that shows that the
        /// server has not processed it (RFC 9110, section 9.2.2; RFC 9113, section 8.7): once if
        /// the server refused it; at most five times if its connection was closed before, because
        /// several kept connections may have been closed at once. 0 for other errors.
        func repetitions(after error: any Error) -> Int {
            let forClosedConnections = 5
            return switch error {
            case let error as UnprocessedRequest: error.isRefused ? 1 : forClosedConnections
            case let error as NIOHTTP2Errors.StreamClosed:
                error.errorCode == .refusedStream ? 1 : 0
            // The connection was closed before the request got to it. On the connections of a
            // shared client, the error may also be that of the end of a request.
            case ChannelError.ioOnClosedChannel: isShared ? 0 : forClosedConnections
            // The HTTP/2 connection was closing before the request got to it. If the client is
            // being shut down, the next attempt fails at once.
            case let error as HTTPClientError:
                error == .cancelled && !isShutDown ? forClosedConnections : 0
            default: 0
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
            let deadline = request.deadline.flatMap { deadlines.time($0.remaining) }
            return try await request.followingRedirects { request in
                try await request.answeringChallenges(authentications) { request in
                    try await exchange(request, by: deadline)
                }
            }
        }

        private func exchange(
            _ request: TransportRequest, by deadline: NIODeadline?
        ) async throws -> TransportResponse {
            do {
                let response = try await Exchange(request, over: self, by: deadline).perform()
                request.reportExchange(.success(response))
                return response
            } catch {
                request.reportExchange(.failure(error))
                throw error
            }
        }
    }
#endif
