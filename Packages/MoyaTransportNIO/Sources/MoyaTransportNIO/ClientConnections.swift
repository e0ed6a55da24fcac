#if AsyncHTTPClient
    import AsyncHTTPClient
    import Foundation
    import NIOCore
    import NIOHTTP1
    import NIOHTTP2

    extension HTTPClient.Configuration {
        /// Adds this transport's handlers to the connections of the client, and calls the
        /// initializers of the configuration.
        mutating func guardConnections() {
            let (http1, http2) = (
                http1_1ConnectionDebugInitializer, http2ConnectionDebugInitializer
            )
            let stream = http2StreamChannelDebugInitializer
            http1_1ConnectionDebugInitializer = { channel in
                channel.setUp(
                    {
                        $0.closeOnExec()
                        try HTTP1Boundary.addHandlers(to: $0)
                    }, then: http1)
            }
            http2ConnectionDebugInitializer = { channel in
                channel.setUp(
                    {
                        $0.closeOnExec()
                        $0.announceHeaderListSize()
                    }, then: http2)
            }
            http2StreamChannelDebugInitializer = { channel in
                channel.setUp(
                    {
                        try $0.pipeline.syncOperations.addHandler(
                            HTTP2StreamGuard(), position: .first)
                    }, then: stream)
            }
        }
    }

    /// Failure of a request that the server has not processed. May be repeated with any method.
    struct UnprocessedRequest: Error, CustomStringConvertible {
        /// Whether the server has refused the request. Otherwise it was never sent.
        let isRefused: Bool
        let description: String
    }

    /// The server has reset the request's HTTP/2 stream, after or in place of a response.
    struct ResetRequest: Error, CustomStringConvertible {
        let description: String
    }

    /// End of a response that arrived while the request was being sent. Fails the request for the
    /// client, which otherwise would keep the rest of its body, and the HTTP/2 stream,
    /// indefinitely.
    struct EarlyResponseEnd: Error {}

    extension Channel {
        fileprivate func setUp(
            _ prepare: @escaping @Sendable (any Channel) throws -> Void,
            then next: (@Sendable (any Channel) -> EventLoopFuture<Void>)?
        ) -> EventLoopFuture<Void> {
            eventLoop.submit { try prepare(self) }.flatMap {
                next?(self) ?? self.eventLoop.makeSucceededVoidFuture()
            }
        }

        /// SwiftNIO creates sockets that child processes inherit. Has no effect with
        /// Network.framework.
        fileprivate func closeOnExec() {
            // Throws if the connection has been closed.
            _ = try? pipeline.syncOperations.withUnsafeTransportIfAvailable(
                of: NIOBSDSocket.Handle.self
            ) { socket in
                fcntl(socket, F_SETFD, FD_CLOEXEC)
            }
        }

        /// Announces a larger SETTINGS_MAX_HEADER_LIST_SIZE (RFC 9113, section 6.5.2) than the
        /// client's 16 KiB. The server's acknowledgement precedes its responses.
        fileprivate func announceHeaderListSize() {
            let setting = HTTP2Setting(parameter: .maxHeaderListSize, value: 256 << 10)
            writeAndFlush(
                HTTP2Frame(streamID: .rootStream, payload: .settings(.settings([setting]))),
                promise: nil)
        }
    }
#endif
