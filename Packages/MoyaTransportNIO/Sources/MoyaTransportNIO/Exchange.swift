#if AsyncHTTPClient
    import AsyncHTTPClient
    import Foundation
    import MoyaCore
    import NIOConcurrencyHelpers
    import NIOCore

    /// Single request and response.
    ///
    /// Calls to the client run in separate tasks. Cancellation by the caller, the idle timer and
    /// the reader of a stream all end the exchange by cancelling these tasks. The first one
    /// determines the error.
    final class Exchange: Sendable {
        let request: TransportRequest
        let url: URL
        let body: RequestBodyStream?
        /// Retained, because the transport shuts its client down when it is deallocated.
        let transport: HTTPClientTransport
        let counts: ByteCounts
        /// Time of the request's deadline. `nil` if it has none.
        private let deadline: NIODeadline?
        private let state = NIOLockedValueBox(ExchangeState.running([]))
        private let timer: NIOLockedValueBox<IdleTimer?> = NIOLockedValueBox(nil)
        /// The task that reads the request's body. Cancelled before another attempt reads it again.
        let bodyReader: NIOLockedValueBox<Task<Void, Never>?> = NIOLockedValueBox(nil)

        /// Validates the request and opens its body.
        ///
        /// - Throws: `RequestError` and `URLError` for a request that cannot be sent; errors of
        ///   opening the body.
        init(
            _ request: TransportRequest, over transport: HTTPClientTransport,
            by deadline: NIODeadline?
        ) throws {
            try request.validateForClient()
            guard let url = request.urlRequest.url else { throw URLError(.badURL) }
            self.request = request
            self.url = url
            self.transport = transport
            self.deadline = deadline
            body = try request.body.makeStream()
            counts = ByteCounts(toSend: body?.length, report: request.progress)
        }

        /// Sends the request. Returns after the complete response, or after the head of a streamed
        /// response.
        func perform() async throws -> TransportResponse {
            // A new task would start sending before it observes an earlier cancellation.
            if Task.isCancelled { throw URLError(.cancelled) }
            watch()
            try await waitForAdmission()
            do {
                return try await send()
            } catch {
                end(.over)
                throw error
            }
        }

        /// Waits until the queue admits the request. It leaves the queue when the exchange ends.
        private func waitForAdmission() async throws {
            let queue = transport.queue
            let host = "\(url.scheme ?? "")://\(url.host ?? ""):\(url.port ?? 0)"
            let isAdmitted = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let ticket = queue.enter(host) { continuation.resume(returning: true) }
                    guard let ticket else { return }
                    adopt { if queue.remove(ticket) { continuation.resume(returning: false) } }
                }
            } onCancel: {
                end(.stopped(.cancelled))
            }
            guard isAdmitted else { throw end(with: CancellationError()) }
            adopt { queue.leave(host) }
        }

        private func send() async throws -> TransportResponse {
            if case .stream = request.destination {
                return relay(try await run(isLast: false) { try await self.execute() })
            }
            var sink = try await ResponseBodySink(request)
            // Making a file suspends, and the caller may have been cancelled meanwhile.
            if Task.isCancelled {
                await sink.discard()
                throw URLError(.cancelled)
            }
            return try await run { [sink] in try await self.receive(into: sink) }
        }

        // MARK: Tasks

        /// Runs a step in a separate task.
        ///
        /// - Parameter isLast: Whether the exchange is over after the step.
        private func run<Value: Sendable>(
            isLast: Bool = true, _ step: @escaping @Sendable () async throws -> Value
        ) async throws -> Value {
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

        /// Registers a closure that cancels a task of this exchange. Calls it at once if the
        /// exchange has ended.
        func adopt(_ cancel: @escaping @Sendable () -> Void) {
            state.withLockedValue { $0.adopt(cancel) }?()
        }

        /// Ends the exchange and cancels its tasks, unless it has ended.
        func end(_ end: ExchangeState) {
            let cancels = state.withLockedValue { $0.end(end) }
            // The timer retains the exchange.
            timer.withLockedValue { $0.take() }?.stop()
            // The one of the place in the queue admits the next request, so it is called late.
            for cancel in cancels.reversed() { cancel() }
        }

        /// Ends the exchange. Returns the error to throw: the reason that ended the exchange
        /// earlier, or `error`.
        private func end(with error: any Error) -> any Error {
            end(.over)
            switch state.withLockedValue({ $0 }) {
            case .stopped(let code): return URLError(stop: code, url: url, cause: error)
            case .timedOut: return request.deadline?.error(url: url) ?? URLError(.timedOut)
            case .bodyFailed(let error): return error
            case .running, .over: break
            }
            guard (error as? HTTPClientError) == .cancelled else {
                return URLError(client: error, url: url)
            }
            // The client cancels requests itself when it is shut down, and when it has assigned
            // them to a connection that is closing.
            guard transport.isShutDown else {
                return URLError(
                    .networkConnectionLost,
                    "async-http-client has cancelled the request, because its connection was "
                        + "closing.", url: url, cause: error)
            }
            return URLError(stop: .cancelled, url: url, cause: error)
        }

        // MARK: Timeouts

        private func watch() {
            let timer = IdleTimer(
                seconds: request.urlRequest.timeoutInterval, on: transport.deadlines
            ) { self.end(.stopped(.timedOut)) }
            self.timer.withLockedValue { $0 = timer }
            timer.start()
            guard let deadline else { return }
            let deadlines = transport.deadlines
            let id = deadlines.add(deadline) { self.end(.timedOut) }
            adopt { deadlines.cancel(id) }
        }

        /// Records progress for the idle timer.
        func move() { timer.withLockedValue { $0 }?.move() }

        /// Passes `data` to the reader of a stream. The idle timer is paused while the reader is
        /// busy.
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
                if request.willFollow(answer.head) {
                    await sink.discard()
                    return await skip(answer)
                }
                try await read(answer) { try await sink.write($0) }
                return response(answer, try await sink.finish())
            } catch {
                await sink.discard()
                throw error
            }
        }

        /// Returns a response whose body the caller reads as it arrives.
        private func relay(_ answer: Answer) -> TransportResponse {
            let writer = ResponseBodyWriter(stop: { self.end(.stopped(.cancelled)) })
            let stream = ResponseBodyStream(writer)
            let relaying = Task {
                do {
                    try await read(answer) { try await hand($0, to: writer) }
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

        /// Returns the response to a followed redirect, without its body.
        private func skip(_ answer: Answer) async -> TransportResponse {
            let skipping = Task {
                var count = 0
                for try await part in answer.body {
                    count += part.readableBytes
                    if count > ResponseBodyStream.skipLimit { break }
                }
            }
            adopt { skipping.cancel() }
            let patience = transport.client.eventLoopGroup.any().scheduleTask(
                in: .nanoseconds(Int64(ResponseBodyStream.skipTimeout * 1e9))
            ) { skipping.cancel() }
            // Errors of the skipped body are ignored.
            _ = await skipping.result
            patience.cancel()
            return response(answer, .data(Data()))
        }

        /// Passes the pieces of the body to `take`.
        private func read(_ answer: Answer, _ take: (Data) async throws -> Void) async throws {
            do {
                for try await part in answer.body {
                    move()
                    counts.receive(part.readableBytes)
                    try await take(Data(part.readableBytesView))
                }
            } catch is EarlyResponseEnd {
                // The whole response has arrived.
            } catch  where answer.isBodiless {
                // With a content coding, the client's decompressor waits for data.
            }
            // A cancelled task may observe the end of a truncated body.
            try Task.checkCancellation()
        }

        private func response(_ answer: Answer, _ body: ResponseBody) -> TransportResponse {
            TransportResponse(head: answer.head, body: body, metrics: counts.metrics(of: answer))
        }
    }
#endif
