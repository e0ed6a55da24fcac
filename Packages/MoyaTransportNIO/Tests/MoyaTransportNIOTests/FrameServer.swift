#if AsyncHTTPClient && MockServer
    import AsyncHTTPClient
    import Foundation
    import MoyaCore
    import MoyaMockServer
    import MoyaTransportNIO
    import NIOCore
    import NIOHTTP2
    import NIOPosix
    import NIOSSL

    /// An HTTP/2 server that a test writes frame by frame.
    struct FrameServer: Sendable {
        typealias Payload = HTTP2Frame.FramePayload
        /// Called with each frame of a stream.
        typealias Handler = @Sendable (Payload, any Channel) -> Void

        let url: URL
        private let listener: any Channel

        init(_ handler: @escaping Handler) async throws {
            let identity = try NIOMockServer(.init(tls: .init())).clientIdentity()
            let chain = try NIOSSLCertificate.fromPEMBytes(Array(identity.certificate))
            var tls = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) },
                privateKey: .privateKey(
                    try NIOSSLPrivateKey(bytes: Array(identity.key), format: .pem)))
            tls.applicationProtocols = ["h2"]
            let context = try NIOSSLContext(configuration: tls)
            listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(
                            NIOSSLServerHandler(context: context))
                        _ = try channel.pipeline.syncOperations.configureHTTP2Pipeline(
                            mode: .server, connectionConfiguration: .init(),
                            streamConfiguration: .init()
                        ) { stream in
                            stream.eventLoop.makeCompletedFuture {
                                try stream.pipeline.syncOperations.addHandler(
                                    FrameHandler(handler))
                            }
                        }
                    }
                }
                .bind(host: "127.0.0.1", port: 0).get()
            guard let port = listener.localAddress?.port,
                let url = URL(string: "https://localhost:\(port)/")
            else { throw URLError(.badURL) }
            self.url = url
        }

        func stop() { listener.close(promise: nil) }

        func request(_ method: String = "GET", body: RequestBody? = nil) -> TransportRequest {
            var request = URLRequest(url: url)
            request.httpMethod = method
            return TransportRequest(request, body: body)
        }

        /// A transport that accepts the server's certificate.
        func transport() -> HTTPClientTransport {
            var configuration = HTTPClientTransport.defaultConfiguration
            configuration.tlsConfiguration?.certificateVerification = .none
            return HTTPClientTransport(configuration: configuration)
        }
    }

    extension HTTP2Frame.FramePayload {
        static func response(
            _ status: Int, _ fields: [(String, String)] = [], endStream: Bool = false
        ) -> Self {
            .headers(
                .init(headers: .init([(":status", "\(status)")] + fields), endStream: endStream))
        }

        static func text(_ text: String, endStream: Bool = false) -> Self {
            .data(.init(data: .byteBuffer(ByteBuffer(string: text)), endStream: endStream))
        }

        var endsStream: Bool {
            switch self {
            case .headers(let frame): frame.endStream
            case .data(let frame): frame.endStream
            default: false
            }
        }
    }

    private final class FrameHandler: ChannelInboundHandler {
        typealias InboundIn = HTTP2Frame.FramePayload

        private let handle: FrameServer.Handler

        init(_ handle: @escaping FrameServer.Handler) { self.handle = handle }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            handle(unwrapInboundIn(data), context.channel)
        }

        // The client resets streams.
        func errorCaught(context: ChannelHandlerContext, error: any Error) {}
    }
#endif
