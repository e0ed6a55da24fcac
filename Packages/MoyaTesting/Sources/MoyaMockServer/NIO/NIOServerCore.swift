#if MockServer
    import Foundation
    import MoyaCore
    import MoyaInternals
    import NIOCore
    import NIOHTTP1
    import NIOHTTP2
    import NIOSSL

    /// State shared by the connections of a ``NIOMockServer``.
    final class NIOServerCore: Sendable {
        let record = ServerRecord()
        let router = MockRouter()
        let faults = Locked(FaultList())
        private let handler: RecordingServer.Handler
        private let configuration: NIOMockServer.Configuration
        private let context: NIOSSLContext?
        let delivery: MockDelivery?

        init(
            _ configuration: NIOMockServer.Configuration, _ context: NIOSSLContext?,
            _ delivery: MockDelivery?, _ handler: @escaping RecordingServer.Handler
        ) {
            self.configuration = configuration
            self.context = context
            self.delivery = delivery
            self.handler = handler
        }

        // MARK: Exchanges

        /// Records `request` and makes its response on a new thread, because handlers may block.
        /// Calls `completion` on `loop`.
        func answer(
            _ request: MockRequest, on loop: any EventLoop,
            _ completion: @escaping @Sendable (MockResponse) -> Void
        ) {
            let respond = router.responder(to: request, or: handler)
            record.add(request)
            ServerThread.detach {
                let response = respond()
                loop.execute { completion(response) }
            }
        }

        // MARK: Connections

        func setUp(_ channel: any Channel) -> EventLoopFuture<Void> {
            let id = record.accept {
                // Asynchronously: `stop()` calls this closure under the lock of the record. On
                // the channel's event loop, `close` would call `remove` of the locked record.
                channel.eventLoop.execute { channel.close(promise: nil) }
            }
            guard let id else { return channel.close() }
            channel.closeFuture.whenComplete { _ in self.record.remove(id) }
            return channel.eventLoop.makeCompletedFuture {
                try self.addHandlers(to: channel, ConnectionControl(id: id, channel: channel))
            }
        }

        private func addHandlers(to channel: any Channel, _ control: ConnectionControl) throws {
            let pipeline = channel.pipeline.syncOperations
            if let delivery {
                try pipeline.addHandler(PieceHandler(delivery, connection: control.id))
            }
            try pipeline.addHandler(control.wire)
            if let action = faults.withLock({ $0.takeForHandshake() }) {
                return try pipeline.addHandlers([
                    control.plain, HandshakeFaultHandler(control, action),
                ])
            }
            if let context { try pipeline.addHandler(NIOSSLServerHandler(context: context)) }
            try pipeline.addHandlers([
                control.plain, ProtocolDetector(self, control, configuration.protocols),
            ])
        }

        fileprivate func addHTTP1(to channel: any Channel, _ control: ConnectionControl) throws {
            try channel.pipeline.syncOperations.addHandlers([
                ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes)),
                HTTP1Handler(self, control),
            ])
        }

        fileprivate func addHTTP2(to channel: any Channel, _ control: ConnectionControl) throws {
            var connection = NIOHTTP2Handler.ConnectionConfiguration()
            // Without validation, because responses may be invalid on purpose.
            connection.headerBlockValidation = .disabled
            connection.contentLengthValidation = .disabled
            connection.targetWindowSize = 1 << 20
            var stream = NIOHTTP2Handler.StreamConfiguration()
            stream.targetWindowSize = 1 << 20
            _ = try channel.pipeline.syncOperations.configureHTTP2Pipeline(
                mode: .server, connectionConfiguration: connection, streamConfiguration: stream
            ) { stream in
                stream.getOption(HTTP2StreamChannelOptions.streamID).flatMapThrowing { id in
                    try stream.pipeline.syncOperations.addHandler(
                        HTTP2Handler(self, control, stream, id))
                }
            }
        }
    }

    /// Detects the version of HTTP by the first bytes of a connection.
    private final class ProtocolDetector: ChannelInboundHandler, RemovableChannelHandler,
        @unchecked Sendable
    {
        // Safe: used only on the channel's event loop.
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer

        private let core: NIOServerCore
        private let control: ConnectionControl
        private let protocols: NIOMockServer.Configuration.Protocols
        private var received = ByteBuffer()

        init(
            _ core: NIOServerCore, _ control: ConnectionControl,
            _ protocols: NIOMockServer.Configuration.Protocols
        ) {
            self.core = core
            self.control = control
            self.protocols = protocols
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var bytes = unwrapInboundIn(data)
            received.writeBuffer(&bytes)
            // The HTTP/2 preface begins with "PRI", which no HTTP/1.1 method does (RFC 9113,
            // section 3.4).
            guard received.readableBytes >= 3 else { return }
            let isHTTP2 = received.readableBytesView.starts(with: "PRI".utf8)
            guard protocols.contains(isHTTP2 ? .http2 : .http1) else { return control.close() }
            do {
                if isHTTP2 {
                    try core.addHTTP2(to: context.channel, control)
                } else {
                    try core.addHTTP1(to: context.channel, control)
                }
                context.fireChannelRead(wrapInboundOut(received))
                context.fireChannelReadComplete()
                context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
            } catch {
                // The connection was closed meanwhile.
                control.close()
            }
        }
    }
#endif
