#if MockServer
    import Foundation
    import MoyaCore
    import NIOCore
    import NIOPosix

    /// A server on 127.0.0.1 that speaks HTTP/1.1, HTTP/2 and TLS, and can get any of it wrong. Needs the trait
    /// `MockServer`; for HTTP/1.1 in the clear ``MockServer`` does without.
    ///
    /// ```swift
    /// let server = try NIOMockServer(.init(tls: .init()))
    /// defer { server.stop() }
    /// server.on("GET", "/users/{id}") { .json(["id": $0.parameters["id"]]) }
    /// server.inject(MockFault(.goAway(isProcessed: false), at: .responseStart))
    /// ```
    ///
    /// A client trusts it that trusts ``authority``. Handlers may block.
    public final class NIOMockServer: Sendable {
        /// Answers a request. Called on any thread.
        public typealias Handler = MockServer.Handler

        /// The port it listens on.
        public let port: Int
        /// `http://127.0.0.1:port`, or `https://localhost:port`
        public let url: URL
        /// Who has signed its certificate, and those of its clients.
        public let authority: MockAuthority
        let core: NIOServerCore
        private let listener: any Channel

        /// A server that listens when this returns.
        ///
        /// - Parameters:
        ///   - delivery: Cuts and rearranges responses. `nil` sends them whole.
        ///   - handler: Answers each request that is neither enqueued nor a route. ``MockServer/httpbin`` unless you bring
        ///     your own.
        /// - Throws: What NIO or a certificate library throws.
        public init(
            _ configuration: Configuration = Configuration(), delivery: MockDelivery? = nil,
            handler: @escaping Handler = MockServer.httpbin
        ) throws {
            let authority = try MockAuthority()
            let core = NIOServerCore(
                configuration, try configuration.context(authority), delivery, handler)
            let listener = try ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.backlog, value: 256)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                .childChannelInitializer { core.setUp($0) }
                .bind(host: "127.0.0.1", port: 0).wait()
            self.authority = authority
            self.core = core
            self.listener = listener
            port = listener.localAddress?.port ?? 0
            let base = configuration.tls == nil ? "http://127.0.0.1" : "https://localhost"
            guard let url = URL(string: "\(base):\(port)") else { throw URLError(.badURL) }
            self.url = url
        }

        deinit { end() }

        // MARK: What it answers

        /// How many enqueued responses nobody has asked for yet.
        public var enqueuedCount: Int { core.router.enqueuedCount }

        /// Answers the next requests with these. See ``MockServer/enqueue(_:)``.
        public func enqueue(_ responses: MockResponse...) { core.router.enqueue(responses) }

        /// Answers requests for a path. See ``MockServer/on(_:_:respond:)``.
        public func on(_ method: String?, _ template: String, respond: @escaping Handler) {
            core.router.on(method, template, respond)
        }

        /// Has something go wrong with coming requests, or connections, in the order of the calls.
        ///
        /// - Parameters:
        ///   - times: How often. 0 or less is not at all.
        ///   - condition: With which requests. Asked when the header fields are there, and not for
        ///     ``MockFault/Phase/handshake``.
        public func inject(
            _ fault: MockFault, times: Int = 1,
            where condition: @escaping @Sendable (MockRequest) -> Bool = { _ in true }
        ) {
            core.faults.withLock { $0.add(fault, times, condition) }
        }

        /// A certificate for a client, and its key, which the server takes where it requires one.
        public func clientIdentity() throws -> MockIdentity { try authority.clientIdentity() }

        // MARK: What it received

        /// The requests received so far, whole ones, in the order in which they ended.
        public var requests: [MockRequest] { core.record.withLock(\.requests) }
        /// How many connections have been accepted.
        public var connectionCount: Int { core.record.withLock(\.acceptedCount) }
        /// How many connections are open.
        public var openConnectionCount: Int { core.record.withLock(\.connections.count) }

        /// Waits until `count` requests have been received, and returns all there are.
        ///
        /// - Throws: ``MockServer/TimeoutError`` after `timeout` seconds; `CancellationError`.
        public func waitForRequests(
            _ count: Int, timeout: TimeInterval = 60
        ) async throws -> [MockRequest] {
            try await core.record.wait(timeout, for: "\(count) requests") {
                $0.requests.count >= count
            }
            return requests
        }

        /// Waits until `count` connections have been accepted.
        ///
        /// - Throws: ``MockServer/TimeoutError`` after `timeout` seconds; `CancellationError`.
        public func waitForConnections(_ count: Int, timeout: TimeInterval = 60) async throws {
            try await core.record.wait(timeout, for: "\(count) connections") {
                $0.acceptedCount >= count
            }
        }

        /// Waits until every client has left.
        ///
        /// - Throws: ``MockServer/TimeoutError`` after `timeout` seconds; `CancellationError`.
        public func waitUntilDisconnected(timeout: TimeInterval = 60) async throws {
            try await core.record.wait(timeout, for: "every client to leave") {
                $0.connections.isEmpty
            }
        }

        // MARK: The end

        /// Stops listening and ends every connection. Its port is free when this returns. Later calls do nothing.
        /// Not to be called on an event loop.
        public func stop() {
            end()
            // Fails where it is closed already.
            try? listener.closeFuture.wait()
        }

        private func end() {
            let open = core.record.withLock { state in
                state.isStopped = true
                return Array(state.connections.values)
            }
            for channel in open { channel.close(promise: nil) }
            listener.close(promise: nil)
        }
    }
#endif
