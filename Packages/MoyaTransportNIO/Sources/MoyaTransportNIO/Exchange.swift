#if AsyncHTTPClient
    import AsyncHTTPClient
    import Foundation
    import MoyaCore
    import NIOConcurrencyHelpers
    import NIOCore

    /// One request and its response.
    ///
    /// What awaits the client runs in a task of its own, so that the caller's cancellation, the idle timer and the reader of
    /// a stream end it in one way: they cancel that task, and the first of them says why.
    final class Exchange: Sendable {
        let request: TransportRequest
        let url: URL
        let body: RequestBodyStream?
        /// Kept, since the transport shuts its client down when it is released.
        let transport: HTTPClientTransport
        let counts: ByteCounts
        private let state = NIOLockedValueBox(ExchangeState.running([]))
        private let timer: NIOLockedValueBox<IdleTimer?> = NIOLockedValueBox(nil)

        /// - Throws: ``RequestError`` and `URLError` for a request that cannot be sent.
        init(_ request: TransportRequest, over transport: HTTPClientTransport) throws {
            try request.validateForClient()
            guard let url = request.urlRequest.url else { throw URLError(.badURL) }
            self.request = request
            self.url = url
            self.transport = transport
            body = try request.body.makeStream()
            counts = ByteCounts(toSend: body?.length, report: request.progress)
        }

        /// Sends the request. The response is whole, but for one that is read as it arrives.
        func perform() async throws -> TransportResponse {
            // A task of its own would begin to send before it hears of a cancel that came earlier.
            if Task.isCancelled { throw URLError(.cancelled) }
            if case .stream = request.destination {
                return relay(try await run(isLast: false) { try await self.execute() })
            }
            let sink = try await ResponseBodySink(request)
            return try await run { try await self.receive(into: sink) }
        }

        // MARK: Tasks

        /// - Parameter isLast: Whether the exchange is over afterwards.
        private func run<Value: Sendable>(
            isLast: Bool = true, _ step: @escaping @Sendable () async throws -> Value
        ) async throws -> Value {
            watch()
            let task = Task(operation: step)
            adopt { task.cancel() }
            return try await withTaskCancellationHandler {
                do {
                    let value = try await task.value
                    if isLast { end(.over) }
                    return value
                } catch {
                    throw end(with: error)
                }
            } onCancel: {
                end(.stopped(.cancelled))
            }
        }

        /// Takes what ends a task of this exchange.
        func adopt(_ cancel: @escaping @Sendable () -> Void) {
            state.withLockedValue { $0.adopt(cancel) }?()
        }

        /// Ends the exchange and its tasks, unless it has ended.
        func end(_ end: ExchangeState) {
            let cancels = state.withLockedValue { $0.end(end) }
            // The timer holds the exchange.
            timer.withLockedValue { timer in
                defer { timer = nil }
                return timer
            }?.stop()
            for cancel in cancels { cancel() }
        }

        /// Ends the exchange. Returns the error to throw, which is `error` unless that is the consequence of another one.
        private func end(with error: any Error) -> any Error {
            end(.over)
            switch state.withLockedValue({ $0 }) {
            case .stopped(let code): return URLError(stop: code, url: url, cause: error)
            case .bodyFailed(let error): return error
            case .running, .over: return URLError(client: error, url: url)
            }
        }

        // MARK: Time

        private func watch() {
            let timer = IdleTimer(
                seconds: request.urlRequest.timeoutInterval,
                on: transport.client.eventLoopGroup.any()
            ) { self.end(.stopped(.timedOut)) }
            self.timer.withLockedValue { $0 = timer }
            timer.start()
        }

        /// Notes that bytes have moved.
        func move() { timer.withLockedValue { $0 }?.move() }

        /// Hands `data` to the reader of a stream. The time that the reader takes does not count.
        private func hand(_ data: Data, to writer: ResponseBodyWriter) async throws {
            let timer = timer.withLockedValue { $0 }
            timer?.pause()
            defer { timer?.resume() }
            try await writer.write(data)
        }

        // MARK: The response

        private func receive(into sink: ResponseBodySink) async throws -> TransportResponse {
            var sink = sink
            do {
                let answer = try await execute()
                if request.surelyFollows(answer.head) {
                    await sink.discard()
                    return await skip(answer)
                }
                for try await part in answer.body {
                    receive(part)
                    try await sink.write(Data(part.readableBytesView))
                }
                // A cancelled task may see the end of a body that is cut off.
                try Task.checkCancellation()
                return response(answer, try await sink.finish())
            } catch {
                await sink.discard()
                throw error
            }
        }

        /// Has the caller read the response's body as it arrives.
        private func relay(_ answer: Answer) -> TransportResponse {
            let writer = ResponseBodyWriter(stop: { self.end(.stopped(.cancelled)) })
            let stream = ResponseBodyStream(writer)
            let relaying = Task {
                do {
                    for try await part in answer.body {
                        receive(part)
                        try await hand(Data(part.readableBytesView), to: writer)
                    }
                    try Task.checkCancellation()
                    end(.over)
                    let metrics = counts.metrics(of: answer)
                    writer.finish(.success(.init(trailers: [], metrics: metrics)))
                } catch {
                    writer.finish(.failure(end(with: error)))
                }
            }
            adopt { relaying.cancel() }
            return response(answer, .stream(stream))
        }

        /// The response to a redirect that is followed, without its body.
        private func skip(_ answer: Answer) async -> TransportResponse {
            let skipping = Task {
                var count = 0
                for try await part in answer.body {
                    count += part.readableBytes
                    if count > ResponseBodyStream.skippedBodyLimit { break }
                }
            }
            adopt { skipping.cancel() }
            let patience = transport.client.eventLoopGroup.any().scheduleTask(
                in: .nanoseconds(Int64(ResponseBodyStream.patience * 1e9))
            ) { skipping.cancel() }
            // The body is of no use, and neither is what it fails with.
            _ = await skipping.result
            patience.cancel()
            return response(answer, .data(Data()))
        }

        private func receive(_ part: ByteBuffer) {
            move()
            counts.receive(part.readableBytes)
        }

        private func response(_ answer: Answer, _ body: ResponseBody) -> TransportResponse {
            TransportResponse(head: answer.head, body: body, metrics: counts.metrics(of: answer))
        }
    }
#endif
