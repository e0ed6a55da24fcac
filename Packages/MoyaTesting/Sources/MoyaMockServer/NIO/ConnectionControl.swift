#if MockServer
    import Foundation
    import NIOCore

    /// A place in a pipeline where bytes can be sent past all that stands behind it.
    final class PipelineTap: ChannelInboundHandler, @unchecked Sendable {
        // Safe: touched on its channel's event loop alone.
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        fileprivate private(set) var context: ChannelHandlerContext?

        func handlerAdded(context: ChannelHandlerContext) { self.context = context }
        func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }
    }

    /// What can be done to one connection, below HTTP. On its event loop alone.
    final class ConnectionControl: @unchecked Sendable {
        // Safe: its constants are Sendable, and its variables touched on the channel's event loop alone.

        let id: Int
        let channel: any Channel
        /// Below TLS.
        let wire = PipelineTap()
        /// Above TLS.
        let plain = PipelineTap()
        /// Whether nothing that arrives is looked at any more.
        private(set) var isDead = false

        init(id: Int, channel: any Channel) {
            self.id = id
            self.channel = channel
        }

        /// Sends bytes as they are, through TLS where there is any.
        func send(_ bytes: Data) -> EventLoopFuture<Void> {
            guard let context = plain.context else {
                return channel.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel)
            }
            return context.writeAndFlush(NIOAny(channel.allocator.buffer(bytes: bytes)))
        }

        /// Nothing more is read from this connection as a message.
        func die() { isDead = true }

        /// Closes in order, after all that has been sent.
        func close() {
            die()
            channel.close(promise: nil)
        }

        /// Ends the server's half.
        func halfClose() {
            die()
            wire.context?.close(mode: .output, promise: nil)
        }

        /// Resets the connection, whatever is still to be sent.
        func reset() {
            die()
            if let socket = channel as? any SocketOptionProvider {
                // To close with no time to linger is to reset.
                socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in
                    self.wire.context?.close(promise: nil)
                }
            } else {
                wire.context?.close(promise: nil)
            }
        }

        /// Sends `bytes` and closes. What is sent below TLS is no TLS.
        func end(with bytes: Data, belowTLS: Bool = false) {
            die()
            guard let context = belowTLS ? wire.context : plain.context else { return close() }
            context.writeAndFlush(NIOAny(channel.allocator.buffer(bytes: bytes))).whenComplete {
                _ in
                if belowTLS {
                    self.wire.context?.close(promise: nil)
                } else {
                    self.channel.close(promise: nil)
                }
            }
        }

        /// What a fault does to a connection whatever is spoken on it. `false` for those that are about HTTP.
        func perform(_ action: MockFault.Action) -> Bool {
            switch action.kind {
            case .close: close()
            case .halfClose: halfClose()
            case .reset: reset()
            case .stall: die()
            case .garbage(let bytes): end(with: bytes)
            // A fatal alert, handshake_failure.
            case .failHandshake: end(with: Data([0x15, 3, 3, 0, 2, 2, 40]), belowTLS: true)
            case .truncate, .badChunk, .goAway, .resetStream: return false
            }
            return true
        }
    }

    /// In place of the TLS handshake, does what a fault says when the client begins.
    final class HandshakeFaultHandler: ChannelInboundHandler, @unchecked Sendable {
        // Safe: touched on its channel's event loop alone.
        typealias InboundIn = ByteBuffer

        private let control: ConnectionControl
        private let action: MockFault.Action

        init(_ control: ConnectionControl, _ action: MockFault.Action) {
            self.control = control
            self.action = action
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !control.isDead, !control.perform(action) else { return }
            control.close()
        }
    }
#endif
