#if MockServer
    import Foundation
    import MoyaCore
    import NIOCore
    import NIOPosix

    /// A server on 127.0.0.1 for HTTP/1.1, HTTP/2 and TLS, with injectable faults. Needs the trait
    /// `MockServer`. ``MockServer`` supports HTTP/1.1 without the trait.
    ///
    /// ```swift
    /// let server = try NIOMockServer(.init(tls: .init()))
    /// defer { server.stop() }
    /// server.on("GET", "/users/{id}") { .json(["id": $0.parameters["id"]]) }
    /// server.inject(MockFault(.goAway(isProcessed: false), at: .responseStart))
    /// ```
    ///
    /// Clients have to trust ``authority``. Handlers may block.
    public final class NIOMockServer: RecordingServer, @unchecked Sendable {
        /// Authority that issues the certificates of the server and of its clients.
        public let authority: MockAuthority
        let core: NIOServerCore
        private let listener: any Channel

        /// Creates a server that is listening when this initializer returns.
        ///
        /// - Parameters:
        ///   - configuration: Protocols, TLS settings and delays.
        ///   - delivery: Cuts and rearranges responses. `nil` sends them whole.
        ///   - handler: Answers requests without an enqueued response and without a route.
        ///     ``MockServer/httpbin`` by default.
        /// - Throws: Errors of SwiftNIO and of the certificate libraries.
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
            let port = listener.localAddress?.port ?? 0
            let base = configuration.tls == nil ? "http://127.0.0.1" : "https://localhost"
            guard let url = URL(string: "\(base):\(port)") else { throw URLError(.badURL) }
            super.init(port: port, url: url, record: core.record, router: core.router)
        }

        deinit { end() }

        /// Injects a fault into coming requests or connections. Faults take effect in the order of
        /// the calls.
        ///
        /// - Parameters:
        ///   - fault: The fault.
        ///   - times: Number of requests or connections with the fault. 0 or less has no effect.
        ///   - condition: Selects requests, after their header section has arrived. Not used for
        ///     ``MockFault/Phase/handshake``.
        public func inject(
            _ fault: MockFault, times: Int = 1,
            where condition: @escaping @Sendable (MockRequest) -> Bool = { _ in true }
        ) {
            core.faults.withLock { $0.add(fault, times, condition) }
        }

        /// Returns a client certificate that the server accepts.
        public func clientIdentity() throws -> MockIdentity { try authority.clientIdentity() }

        /// Stops listening and ends every connection. The port is free when this method returns.
        /// Later calls have no effect. Blocks: do not call it on an event loop.
        public func stop() {
            end()
            // Throws if the listener is already closed.
            try? listener.closeFuture.wait()
        }

        private func end() {
            record.stop()
            listener.close(promise: nil)
        }
    }
#endif
