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
    public final class NIOMockServer: RecordingServer, @unchecked Sendable {
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
            let port = listener.localAddress?.port ?? 0
            let base = configuration.tls == nil ? "http://127.0.0.1" : "https://localhost"
            guard let url = URL(string: "\(base):\(port)") else { throw URLError(.badURL) }
            super.init(port: port, url: url, record: core.record, router: core.router)
        }

        deinit { end() }

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

        /// Stops listening and ends every connection. Its port is free when this returns. Later calls do nothing.
        /// Not to be called on an event loop.
        public func stop() {
            end()
            // Fails where it is closed already.
            try? listener.closeFuture.wait()
        }

        private func end() {
            record.stop()
            listener.close(promise: nil)
        }
    }
#endif
