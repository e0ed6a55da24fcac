#if MockServer
    import Foundation
    import MoyaCore
    import NIOCore
    import NIOHTTP1

    /// Serves HTTP/1.1 on one connection. NIO parses requests. This handler serializes responses
    /// itself, because they may be invalid.
    final class HTTP1Handler: ChannelInboundHandler, ResponseWriter, @unchecked Sendable {
        // Safe: used only on the channel's event loop.
        typealias InboundIn = HTTPServerRequestPart

        private let core: NIOServerCore
        private let control: ConnectionControl
        private var exchange: NIOExchange?
        private var clientWantsClose = false
        /// Parts of pipelined requests, received before the current request was answered.
        private var waiting: [HTTPServerRequestPart] = []
        private var isAnswering = false
        private var responseCount = 0

        init(_ core: NIOServerCore, _ control: ConnectionControl) {
            self.core = core
            self.control = control
        }

        // MARK: Requests

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !control.isDead else { return }
            let part = unwrapInboundIn(data)
            if isAnswering {
                waiting.append(part)
            } else {
                take(part)
            }
        }

        func handlerRemoved(context: ChannelHandlerContext) {
            // Breaks the reference cycle: the exchange holds this handler.
            exchange = nil
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            // Data that is not HTTP gets no response.
            if error is HTTPParserError { control.close() }
        }

        private func take(_ part: HTTPServerRequestPart) {
            switch part {
            case .head(let head):
                clientWantsClose = !head.isKeepAlive
                let request = MockRequest(
                    method: head.method.rawValue, target: head.uri,
                    headers: head.headers.map { HeaderField(name: $0.name, value: $0.value) },
                    body: Data(), bodyLength: 0, connectionID: control.id)
                let exchange = NIOExchange(request, core, control, self) { [weak self] in
                    self?.goOn()
                }
                self.exchange = exchange
                exchange.begin()
            case .body(let bytes): exchange?.receive(bytes)
            case .end:
                isAnswering = true
                exchange?.receiveEnd()
            }
        }

        private func goOn() {
            isAnswering = false
            exchange = nil
            while !isAnswering, !waiting.isEmpty, !control.isDead { take(waiting.removeFirst()) }
        }

        // MARK: Responses

        func sendContinue() {
            _ = control.send(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        }

        func perform(
            _ step: ResponseScript.Step, of response: MockResponse, to request: MockRequest
        ) -> EventLoopFuture<Void> {
            let end = response.end(answering: request, clientWantsClose: clientWantsClose)
            switch step {
            case .head:
                responseCount += 1
                let random = core.delivery?.generator(
                    connection: control.id, response: responseCount)
                return control.send(
                    response.informationalHeads
                        + response.head(closing: end, random.flatMap { core.delivery?.layout($0) }))
            case .body(let bytes): return control.send(response.framed(bytes))
            case .end:
                guard response.isChunked, !response.isBodiless(for: request) else { break }
                return control.send(response.lastChunk)
            case .raw(let bytes): return control.send(bytes)
            case .finish(let ownEnd):
                // An explicit end takes precedence. Otherwise the request or the framing may
                // require closing the connection.
                control.finish(ownEnd == .keepAlive ? end : ownEnd)
            case .pause, .fault: break
            }
            return control.channel.eventLoop.makeSucceededVoidFuture()
        }

        func perform(_ action: MockFault.Action) {
            guard !control.perform(action) else { return }
            switch action.kind {
            case .badChunk: control.end(with: Data("no size\r\n".utf8))
            case .resetStream: control.reset()
            default: control.close()
            }
        }
    }
#endif
