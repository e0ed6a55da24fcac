#if MockServer
    import Foundation
    import NIOCore

    /// Position in a channel pipeline at which bytes can be sent, bypassing the handlers behind it.
    final class PipelineTap: ChannelInboundHandler, @unchecked Sendable {
        // Safe: used only on the channel's event loop.
        typealias InboundIn = ByteBuffer

        fileprivate private(set) var context: ChannelHandlerContext?

        func handlerAdded(context: ChannelHandlerContext) { self.context = context }
        func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }
    }

    /// Controls one connection below HTTP. Used only on the channel's event loop.
    final class ConnectionControl: @unchecked Sendable {
        // Safe: the constants are Sendable, and the variables are used only on the channel's event
        // loop.

        let id: Int
        let channel: any Channel
        /// Position below TLS.
        let wire = PipelineTap()
        /// Position above TLS.
        let plain = PipelineTap()
        /// Whether received data is ignored.
        private(set) var isDead = false

        init(id: Int, channel: any Channel) {
            self.id = id
            self.channel = channel
        }

        /// Sends bytes unchanged, through TLS if the connection has it.
        func send(_ bytes: Data) -> EventLoopFuture<Void> {
            guard let context = plain.context else {
                return channel.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel)
            }
            return context.writeAndFlush(NIOAny(channel.allocator.buffer(bytes: bytes)))
        }

        /// Makes the handlers ignore all further data of this connection.
        func die() { isDead = true }

        /// Closes the connection after pending writes.
        func close() {
            die()
            channel.close(promise: nil)
        }

        /// Closes the sending side.
        func halfClose() {
            die()
            wire.context?.close(mode: .output, promise: nil)
        }

        /// Resets the connection and discards pending writes.
        func reset() {
            die()
            if let socket = channel as? any SocketOptionProvider {
                // Closing a socket with a linger time of 0 sends a TCP RST.
                socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in
                    self.wire.context?.close(promise: nil)
                }
            } else {
                wire.context?.close(promise: nil)
            }
        }

        /// Ends the connection after a response, or keeps it open.
        func finish(_ end: MockResponse.End) {
            switch end {
            case .keepAlive: break
            case .close: close()
            case .reset: reset()
            case .stall: die()
            case .halfClose: halfClose()
            }
        }

        /// Sends `bytes` and closes the connection. With `belowTLS`, the bytes are not encrypted.
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

        /// Performs a fault that does not depend on HTTP. Returns `false` for faults of HTTP
        /// messages.
        func perform(_ action: MockFault.Action) -> Bool {
            switch action.kind {
            case .close: close()
            case .halfClose: halfClose()
            case .reset: reset()
            case .stall: die()
            case .garbage(let bytes): end(with: bytes)
            // A fatal TLS alert: handshake_failure.
            case .failHandshake: end(with: Data([0x15, 3, 3, 0, 2, 2, 40]), belowTLS: true)
            case .truncate, .badChunk, .goAway, .resetStream: return false
            }
            return true
        }
    }

    /// Performs a fault in place of the TLS handshake, when the first bytes arrive.
    final class HandshakeFaultHandler: ChannelInboundHandler, @unchecked Sendable {
        // Safe: used only on the channel's event loop.
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
