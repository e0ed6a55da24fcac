import Foundation
import MoyaCore
import MoyaInternals

/// Answers a request with a stub, as a network would.
struct StubPlayer {
    let request: TransportRequest
    /// Clock for delays. `nil` uses real time.
    let clock: TestClock?
    /// Body of the request, with a stream read into memory.
    let body: RequestBody

    /// Longer than any timeout, and small enough to convert to nanoseconds.
    private static let longestWait: TimeInterval = 1e9

    func play(_ stub: Stub) async throws -> TransportResponse {
        do {
            return try await answer(stub)
        } catch is CancellationError {
            throw URLError(.cancelled)
        }
    }

    private func answer(_ stub: Stub) async throws -> TransportResponse {
        switch stub.outcome {
        case .computed(let respond):
            try await wait(stub.delay)
            var whole = request
            whole.body = body
            var computed = try await Coders.$ofSamples.withValue(request.context.coders) {
                [whole] in try await respond(whole)
            }
            computed.cut = computed.cut ?? stub.cut
            computed.pace = computed.pace ?? stub.pace
            return try await answer(computed)
        case .failure(let error):
            try await wait(stub.delay)
            throw error
        case .silence:
            try await wait(.infinity)
            throw URLError(.timedOut)
        case .response(let makeHead, let body):
            return try await deliver(makeHead(url), bytes(of: body), of: stub)
        }
    }

    private var url: URL {
        get throws {
            guard let url = request.urlRequest.url else { throw URLError(.badURL) }
            return url
        }
    }

    private func bytes(of body: StubBody) throws -> Data {
        switch body {
        case .data(let data): data
        case .file(let url): try StubFile.read(url)
        case .json(let value):
            try request.context.coders.encoder(for: "application/json").encode(value)
        case .sampleData:
            Coders.$ofSamples.withValue(request.context.coders) {
                request.context.target?.sampleData ?? Data()
            }
        }
    }

    private func deliver(
        _ head: ResponseHead, _ data: Data, of stub: Stub
    ) async throws -> TransportResponse {
        var progress = try upload(stub.pace ?? StubPace())
        try await wait(stub.delay)
        progress.bytesToReceive = Int64(data.count)
        if case .stream = request.destination {
            return stream(head, data, of: stub, progress)
        }
        var sink = try await ResponseBodySink(request)
        do {
            let metrics = try await move(data, of: stub, progress) { try await sink.write($0) }
            return TransportResponse(
                head: head, body: try await sink.finish(), metrics: metrics)
        } catch {
            await sink.discard()
            throw error
        }
    }

    /// Returns the head immediately, with the body as a stream.
    private func stream(
        _ head: ResponseHead, _ data: Data, of stub: Stub, _ progress: TransferProgress
    ) -> TransportResponse {
        let feeding = Locked<Task<Void, Never>?>(nil)
        // Unlimited capacity: the whole body is already in memory, so back-pressure would save
        // nothing.
        let channel = ResponseBodyWriter(
            capacity: .max, resume: {}, stop: { feeding.withLock { $0 }?.cancel() })
        let task = Task {
            do {
                let metrics = try await move(data, of: stub, progress) { piece in
                    _ = piece.withUnsafeBytes { channel.offer($0) }
                }
                channel.finish(.success(.init(trailers: [], metrics: metrics)))
            } catch is CancellationError {
                channel.finish(.failure(URLError(.cancelled)))
            } catch {
                channel.finish(.failure(error))
            }
        }
        feeding.withLock { $0 = task }
        return TransportResponse(head: head, body: .stream(ResponseBodyStream(channel)))
    }

    /// Passes the body to `take`, piece by piece.
    private func move(
        _ data: Data, of stub: Stub, _ start: TransferProgress,
        to take: (Data) async throws -> Void
    ) async throws -> TransportMetrics {
        var progress = start
        let end = min(data.count, stub.cut?.count ?? data.count)
        let pace = stub.pace ?? StubPace()
        for offset in stride(from: 0, to: end, by: pace.size) {
            try await wait(pace.pause)
            let count = min(pace.size, end - offset)
            let first = data.startIndex + offset
            try await take(data[first..<first + count])
            progress.bytesReceived += Int64(count)
            request.progress?(progress)
        }
        try Task.checkCancellation()
        if let cut = stub.cut {
            throw URLError(
                cut.code, "The stub was cut off after \(end) byte\(end == 1 ? "" : "s").",
                url: try url)
        }
        var metrics = TransportMetrics()
        metrics.bytesSent = progress.bytesSent
        metrics.bytesReceived = progress.bytesReceived
        return metrics
    }

    /// Reports the upload progress of the request body.
    private func upload(_ pace: StubPace) throws -> TransferProgress {
        var progress = TransferProgress()
        if case .stream = request.body, case .data(let sent) = body {
            // A streamed body has been read, and its progress reported, by
            // `takingInBody(progress:)`.
            progress.bytesSent = Int64(sent.count)
            progress.bytesToSend = progress.bytesSent
            return progress
        }
        guard let count = try request.body.makeStream()?.length else { return progress }
        progress.bytesToSend = count
        while progress.bytesSent < count {
            progress.bytesSent = min(count, progress.bytesSent + Int64(pace.size))
            request.progress?(progress)
        }
        return progress
    }

    /// Sleeps for `seconds`. Throws `URLError(.timedOut)` when the request's timeout is over first.
    private func wait(_ seconds: TimeInterval) async throws {
        try Task.checkCancellation()
        guard seconds > 0 else { return }
        let limit = request.urlRequest.timeoutInterval
        let timesOut = limit > 0 && seconds > limit
        let length = timesOut ? limit : min(seconds, Self.longestWait)
        if let clock {
            try await clock.sleep(for: length)
        } else {
            try await Task.sleep(nanoseconds: UInt64(min(length, Self.longestWait) * 1e9))
        }
        if timesOut {
            throw URLError(
                .timedOut, "The stub was silent for the \(limit) seconds of the request's timeout.",
                url: try url)
        }
    }
}
