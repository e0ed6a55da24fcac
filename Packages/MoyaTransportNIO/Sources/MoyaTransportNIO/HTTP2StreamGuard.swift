#if AsyncHTTPClient
    import NIOCore
    import NIOHTTP2

    /// Handler of an HTTP/2 stream, between the network and the client's handlers.
    ///
    /// - Ends a small body with its last bytes. The client sends an empty DATA frame with
    ///   END_STREAM after the body. Servers such as Tomcat count small DATA frames before the last
    ///   one as an attack, and close the connection.
    /// - Resets the stream after a response that arrives before the request's end. The client would
    ///   leave the stream open, and end the process when an incomplete request has a response below
    ///   300 and its stream is closed later.
    /// - Tells requests that the server has not processed (RFC 9113, section 8.7) from others.
    final class HTTP2StreamGuard: ChannelDuplexHandler {
        typealias InboundIn = HTTP2Frame.FramePayload
        typealias InboundOut = HTTP2Frame.FramePayload
        typealias OutboundIn = HTTP2Frame.FramePayload
        typealias OutboundOut = HTTP2Frame.FramePayload

        /// Size of the largest frame that is held back, in bytes: the default of
        /// SETTINGS_MAX_FRAME_SIZE.
        private static var smallBody: Int { 16_384 }

        /// Value of the request's `Content-Length`.
        private var length: Int?
        private var sent = 0
        /// The last bytes of a small body.
        private var held: (frame: HTTP2Frame.FramePayload.Data, promise: EventLoopPromise<Void>?)?
        private var early = EarlyResponse()
        private var wasReset = false

        // MARK: The request

        func write(
            context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
        ) {
            switch unwrapOutboundIn(data) {
            case .headers(let frame):
                length = frame.headers.first(name: "content-length").flatMap { Int($0) }
                if frame.endStream { early.requestHasEnded = true }
            case .data(let frame):
                return write(frame, context: context, promise: promise)
            default: break
            }
            context.write(data, promise: promise)
        }

        private func write(
            _ frame: HTTP2Frame.FramePayload.Data, context: ChannelHandlerContext,
            promise: EventLoopPromise<Void>?
        ) {
            var frame = frame
            var promise = promise
            sent += frame.data.readableBytes
            if frame.endStream {
                early.requestHasEnded = true
                if let (last, lastPromise) = held {
                    held = nil
                    frame = last
                    frame.endStream = true
                    promise = promise ?? context.eventLoop.makePromise()
                    promise?.futureResult.cascade(to: lastPromise)
                }
            } else if sent == length, sent <= Self.smallBody {
                held = (frame, promise)
                return
            }
            context.write(wrapOutboundOut(.data(frame)), promise: promise)
        }

        func handlerRemoved(context: ChannelHandlerContext) {
            held?.promise?.fail(ChannelError.ioOnClosedChannel)
            held = nil
        }

        func read(context: ChannelHandlerContext) {
            early.isReading = true
            context.read()
        }

        // MARK: The response

        /// Whether the end of the response has to end the request, too.
        private var endsRequest: Bool {
            !early.requestHasEnded && (early.isReading || !early.isRefusal)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .headers(var frame):
                let status = frame.headers.first(name: ":status").flatMap { Int($0) }
                if let status { early.status = status }
                guard frame.endStream, endsRequest else { break }
                frame.endStream = false
                // Trailers have no status. The client ignores them.
                if status != nil { context.fireChannelRead(wrapInboundOut(.headers(frame))) }
                return early.end(context)
            case .data(var frame):
                guard frame.endStream, endsRequest else { break }
                frame.endStream = false
                context.fireChannelRead(wrapInboundOut(.data(frame)))
                return early.end(context)
            case .rstStream: wasReset = true
            default: break
            }
            context.fireChannelRead(data)
        }

        func channelReadComplete(context: ChannelHandlerContext) {
            early.isReading = false
            context.fireChannelReadComplete()
        }

        /// A GOAWAY frame closes the streams that it excludes with the code CANCEL, but without an
        /// RST_STREAM frame.
        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            // Frames that arrived before an error of the connection are delivered before it.
            context.read()
            if let closed = error as? NIOHTTP2Errors.StreamClosed,
                closed.errorCode == .refusedStream || (closed.errorCode == .cancel && !wasReset)
            {
                context.fireErrorCaught(
                    UnprocessedRequest(isRefused: true, description: "\(error)"))
            } else if wasReset, error is NIOHTTP2Errors.StreamClosed {
                context.fireErrorCaught(ResetRequest(description: "\(error)"))
            } else {
                context.fireErrorCaught(error)
            }
        }
    }
#endif
