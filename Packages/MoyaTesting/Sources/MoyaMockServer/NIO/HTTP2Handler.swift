#if MockServer
    import Foundation
    import MoyaCore
    import NIOCore
    import NIOHPACK
    import NIOHTTP2

    /// Serves one stream of an HTTP/2 connection.
    final class HTTP2Handler: ChannelInboundHandler, ResponseWriter, @unchecked Sendable {
        // Safe: used only on the stream's event loop, which is that of its connection.
        typealias InboundIn = HTTP2Frame.FramePayload

        private let core: NIOServerCore
        private let control: ConnectionControl
        private let stream: any Channel
        private let streamID: HTTP2StreamID
        private var exchange: NIOExchange?

        init(
            _ core: NIOServerCore, _ control: ConnectionControl, _ stream: any Channel,
            _ id: HTTP2StreamID
        ) {
            self.core = core
            self.control = control
            self.stream = stream
            streamID = id
        }

        // MARK: Requests

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !control.isDead else { return }
            switch unwrapInboundIn(data) {
            case .headers(let frame):
                // Trailers arrive as a second HEADERS frame.
                if exchange == nil { begin(frame.headers) }
                if frame.endStream { exchange?.receiveEnd() }
            case .data(let frame):
                if case .byteBuffer(let bytes) = frame.data { exchange?.receive(bytes) }
                if frame.endStream { exchange?.receiveEnd() }
            default: break
            }
        }

        func handlerRemoved(context: ChannelHandlerContext) {
            // Breaks the reference cycle: the exchange holds this handler.
            exchange = nil
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            // The client has reset the stream, which NIO then closes.
        }

        private func begin(_ headers: HPACKHeaders) {
            var fields = headers.filter { !$0.name.hasPrefix(":") }
                .map { HeaderField(name: $0.name, value: $0.value) }
            if let authority = headers.first(name: ":authority") {
                fields.insert(HeaderField(name: "Host", value: authority), at: 0)
            }
            var request = MockRequest(
                method: headers.first(name: ":method") ?? "",
                target: headers.first(name: ":path") ?? "", headers: fields, body: Data(),
                bodyLength: 0, connectionID: control.id)
            request.protocolName = "h2"
            let exchange = NIOExchange(request, core, control, self) {}
            self.exchange = exchange
            exchange.begin()
        }

        // MARK: Responses

        func sendContinue() {
            _ = write(headers(100, []), endStream: false)
        }

        func perform(
            _ step: ResponseScript.Step, of response: MockResponse, to request: MockRequest
        ) -> EventLoopFuture<Void> {
            switch step {
            case .head:
                for early in response.informational {
                    _ = write(headers(early.status, early.headers), endStream: false)
                }
                var fields = response.headers
                // With `content-length`, a client might not wait for trailers.
                if response.trailers.isEmpty, let length = response.lengthField {
                    fields.append(length)
                }
                let isBodiless = response.isBodiless(for: request)
                return write(
                    headers(response.status, fields),
                    endStream: isBodiless && response.trailers.isEmpty)
            case .body(let bytes): return write(bytes, endStream: false)
            case .end:
                guard response.trailers.isEmpty else {
                    return write(HPACKHeaders(response.trailers.map(\.pair)), endStream: true)
                }
                guard !response.isBodiless(for: request) else { break }
                return write(Data(), endStream: true)
            case .raw(let bytes): return control.send(bytes)
            // Only this stream stalls. Other streams of the connection continue.
            case .finish(let end): if end != .stall { control.finish(end) }
            case .pause, .fault: break
            }
            return stream.eventLoop.makeSucceededVoidFuture()
        }

        private func headers(_ status: Int, _ fields: [HeaderField]) -> HPACKHeaders {
            // HTTP/2 forbids connection-specific header fields (RFC 9113, section 8.2.2).
            let forbidden: Set = ["connection", "keep-alive", "transfer-encoding", "upgrade"]
            let kept = fields.map(\.pair).filter { !forbidden.contains($0.0) }
            return HPACKHeaders([(":status", "\(status)")] + kept)
        }

        private func write(_ headers: HPACKHeaders, endStream: Bool) -> EventLoopFuture<Void> {
            stream.writeAndFlush(
                HTTP2Frame.FramePayload.headers(.init(headers: headers, endStream: endStream)))
        }

        private func write(_ bytes: Data, endStream: Bool) -> EventLoopFuture<Void> {
            let buffer = stream.allocator.buffer(bytes: bytes)
            return stream.writeAndFlush(
                HTTP2Frame.FramePayload.data(
                    .init(data: .byteBuffer(buffer), endStream: endStream)))
        }

        func perform(_ action: MockFault.Action) {
            switch action.kind {
            case .truncate: _ = write(Data(), endStream: true)
            // A DATA frame on stream 0, which is a connection error (RFC 9113, section 6.1).
            case .badChunk: control.end(with: Data([0, 0, 1, 0, 0, 0, 0, 0, 0, 0]))
            case .resetStream(let code):
                stream.writeAndFlush(
                    HTTP2Frame.FramePayload.rstStream(HTTP2ErrorCode(networkCode: Int(code))),
                    promise: nil)
            case .goAway(let code, let isProcessed):
                let last = Int(streamID) - (isProcessed ? 0 : 2)
                let frame = HTTP2Frame(
                    streamID: .rootStream,
                    payload: .goAway(
                        lastStreamID: HTTP2StreamID(max(0, last)),
                        errorCode: HTTP2ErrorCode(networkCode: Int(code)), opaqueData: nil))
                control.channel.writeAndFlush(frame, promise: nil)
            // Only this stream stalls. Other streams of the connection continue.
            case .stall: break
            default: _ = control.perform(action)
            }
        }
    }

    extension HeaderField {
        /// Name in lower case, as HTTP/2 requires, and value.
        fileprivate var pair: (String, String) { (name.lowercased(), value) }
    }
#endif
