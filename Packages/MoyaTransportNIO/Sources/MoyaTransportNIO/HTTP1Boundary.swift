#if AsyncHTTPClient
    import AsyncHTTPClient
    import NIOCore
    import NIOHTTP1

    /// Closes HTTP/1.1 connections on which bytes follow a response, so that they cannot answer the
    /// next request.
    ///
    /// ``Bytes`` is before the parser and ``Messages`` behind it. The end of a response waits until
    /// the parser has read all bytes that have arrived. A message of which the parser has then read
    /// a part, or more, is surplus.
    enum HTTP1Boundary {
        static func addHandlers(to channel: any Channel) throws {
            let pipeline = channel.pipeline.syncOperations
            let parser = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
            let messages = Messages()
            try pipeline.addHandler(Bytes(messages), position: .before(parser))
            try pipeline.addHandler(messages, position: .after(parser))
        }

        final class Bytes: ChannelInboundHandler {
            typealias InboundIn = ByteBuffer
            typealias InboundOut = ByteBuffer

            private let messages: Messages

            init(_ messages: Messages) { self.messages = messages }

            func channelRead(context: ChannelHandlerContext, data: NIOAny) {
                guard messages.isAwaitingResponse else { return context.close(promise: nil) }
                messages.holdsEnd = true
                context.fireChannelRead(data)
                if messages.end != nil {
                    // Between messages, the parser skips empty lines. Within a message, they are an
                    // error, or end a head that answers no request, which is an error.
                    let lines = context.channel.allocator.buffer(string: "\r\n\r\n")
                    context.fireChannelRead(wrapInboundOut(lines))
                }
                messages.holdsEnd = false
                messages.passEnd()
            }
        }

        final class Messages: ChannelDuplexHandler {
            typealias InboundIn = HTTPClientResponsePart
            typealias InboundOut = HTTPClientResponsePart
            typealias OutboundIn = HTTPClientRequestPart
            typealias OutboundOut = HTTPClientRequestPart

            /// Whether a request has been sent whose response is not complete.
            private(set) var isAwaitingResponse = false
            /// Whether the parser is reading.
            var holdsEnd = false
            /// End of the response that waits for the parser.
            private(set) var end: NIOAny?
            private var hasSurplus = false
            private var early = EarlyResponse()
            private var context: ChannelHandlerContext?

            func handlerAdded(context: ChannelHandlerContext) { self.context = context }
            func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

            // MARK: Responses

            func channelRead(context: ChannelHandlerContext, data: NIOAny) {
                switch unwrapInboundIn(data) {
                case .head(let head): early.status = Int(head.status.code)
                case .body: break
                case .end:
                    end = data
                    if !holdsEnd { passEnd() }
                    return
                }
                context.fireChannelRead(data)
            }

            /// Passes the end of a response on. Closes the connection afterwards if bytes follow.
            func passEnd() {
                guard let context, let end else { return }
                self.end = nil
                isAwaitingResponse = false
                if early.isRefusal, !early.requestHasEnded, early.isReading {
                    // The client would keep a paused upload in memory.
                    early.end(context)
                } else {
                    context.fireChannelRead(end)
                }
                if hasSurplus { context.close(promise: nil) }
            }

            func errorCaught(context: ChannelHandlerContext, error: any Error) {
                if end != nil {
                    hasSurplus = true
                } else {
                    context.fireErrorCaught(error)
                }
            }

            func channelReadComplete(context: ChannelHandlerContext) {
                early.isReading = false
                context.fireChannelReadComplete()
            }

            // MARK: Requests

            func read(context: ChannelHandlerContext) {
                early.isReading = true
                context.read()
            }

            func write(
                context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
            ) {
                guard !hasSurplus else {
                    // The client has assigned its next request before it could observe the close.
                    promise?.fail(ChannelError.ioOnClosedChannel)
                    context.fireErrorCaught(
                        UnprocessedRequest(
                            isRefused: false, description: "Bytes follow the previous response."))
                    return
                }
                switch unwrapOutboundIn(data) {
                case .head:
                    isAwaitingResponse = true
                    early = EarlyResponse()
                case .body: break
                case .end:
                    early.requestHasEnded = true
                    return context.write(data, promise: promise.map(unambiguous))
                }
                context.write(data, promise: promise)
            }

            /// Returns a promise for writing the request's end. The client fails the request with
            /// its error. `ioOnClosedChannel` has to mean that nothing was sent, so another error
            /// replaces it here.
            private func unambiguous(_ promise: EventLoopPromise<Void>) -> EventLoopPromise<Void> {
                let written = promise.futureResult.eventLoop.makePromise(of: Void.self)
                written.futureResult.flatMapErrorThrowing { error in
                    guard case .ioOnClosedChannel? = error as? ChannelError else { throw error }
                    throw HTTPClientError.remoteConnectionClosed
                }.cascade(to: promise)
                return written
            }
        }
    }
#endif
