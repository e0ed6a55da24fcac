#if MockServer
    import MoyaCore
    import NIOCore

    /// Cuts the bytes that a server writes into random pieces, below TLS and HTTP/2. A close waits
    /// for earlier writes.
    final class PieceHandler: ChannelDuplexHandler, @unchecked Sendable {
        // Safe: used only on the channel's event loop.
        typealias InboundIn = ByteBuffer
        typealias OutboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private enum Operation {
            case write(ByteBuffer, EventLoopPromise<Void>?)
            case close(CloseMode, EventLoopPromise<Void>?)
        }

        private let delivery: MockDelivery
        private let connection: Int
        private var readCount = 0
        private var pieces: RandomPieces
        private var waiting: [Operation] = []
        private var isPausing = false

        init(_ delivery: MockDelivery, connection: Int) {
            self.delivery = delivery
            self.connection = connection
            pieces = RandomPieces(delivery.generator(connection: connection, response: 0))
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            // New pieces after each read, so that each response is cut in its own way.
            readCount += 1
            pieces = RandomPieces(
                delivery.generator(connection: connection, response: readCount))
            context.fireChannelRead(data)
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            waiting.append(.write(unwrapOutboundIn(data), promise))
        }

        func flush(context: ChannelHandlerContext) { work(context) }

        func close(
            context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?
        ) {
            waiting.append(.close(mode, promise))
            work(context)
        }

        func handlerRemoved(context: ChannelHandlerContext) {
            let left = waiting
            waiting = []
            for case .write(_, let promise) in left {
                promise?.fail(ChannelError.ioOnClosedChannel)
            }
            for case .close(_, let promise) in left { promise?.succeed() }
        }

        private func work(_ context: ChannelHandlerContext) {
            while !isPausing, !waiting.isEmpty {
                switch waiting.removeFirst() {
                case .close(let mode, let promise): context.close(mode: mode, promise: promise)
                case .write(var bytes, let promise):
                    let piece = pieces.next(of: bytes.readableBytes)
                    let isLast = piece.count == bytes.readableBytes
                    guard let part = bytes.readSlice(length: piece.count) else { continue }
                    if !isLast { waiting.insert(.write(bytes, promise), at: 0) }
                    context.writeAndFlush(wrapOutboundOut(part), promise: isLast ? promise : nil)
                    if piece.pause > 0 { pause(piece.pause, context) }
                }
            }
        }

        private func pause(_ seconds: Double, _ context: ChannelHandlerContext) {
            isPausing = true
            let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            context.eventLoop.scheduleTask(in: .microseconds(Int64(seconds * 1e6))) {
                let (handler, context) = bound.value
                handler.isPausing = false
                handler.work(context)
            }
        }
    }
#endif
