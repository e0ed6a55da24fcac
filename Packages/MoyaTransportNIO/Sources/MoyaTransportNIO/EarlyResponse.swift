#if AsyncHTTPClient
    import AsyncHTTPClient
    import NIOCore

    /// A response that may arrive before its request has been sent.
    struct EarlyResponse {
        var status = 0
        var requestHasEnded = false
        /// Whether the client has asked for data. If not, data is delivered only because the
        /// connection or stream is closed, and the client drops it after an error.
        var isReading = true

        /// Whether the client does not send the rest of the body.
        var isRefusal: Bool { status >= 300 }

        /// Ends the request in place of the response's end.
        func end(_ context: ChannelHandlerContext) {
            // Passes the received part of the body on.
            context.fireChannelReadComplete()
            if isReading {
                context.fireErrorCaught(EarlyResponseEnd())
            } else {
                context.fireErrorCaught(HTTPClientError.remoteConnectionClosed)
            }
        }
    }
#endif
