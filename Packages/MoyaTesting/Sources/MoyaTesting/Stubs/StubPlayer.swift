import Foundation
@_spi(MoyaInternals) import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Plays a stub to a request, as a network would.
struct StubPlayer {
    let request: TransportRequest
    /// `nil` is real time.
    let clock: TestClock?

    /// Nobody waits longer than this without a timeout, and the nanoseconds would no longer fit.
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
            var computed = try await respond(request)
            computed.cut = computed.cut ?? stub.cut
            return try await answer(computed)
        case .failure(let error):
            try await wait(stub.delay)
            throw error
        case .silence:
            try await wait(.infinity)
            throw URLError(.timedOut)
        case .head(let makeHead, let data):
            return try await deliver(makeHead(try url), data, of: stub)
        case .response(let status, let fields, let body):
            let head = ResponseHead(statusCode: status, url: try url, fields: fields)
            return try await deliver(head, bytes(of: body), of: stub)
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
        case .sampleData: request.target?.sampleData ?? Data()
        }
    }

    private func deliver(
        _ head: ResponseHead, _ body: Data, of stub: Stub
    ) async throws -> TransportResponse {
        var progress = TransferProgress()
        try upload(stub.pace, &progress)
        try await wait(stub.delay)
        var sink = try StubSink(request.destination)
        do {
            progress.bytesToReceive = Int64(body.count)
            let end = min(body.count, stub.cut?.count ?? body.count)
            for start in stride(from: 0, to: end, by: stub.pace.size) {
                try await wait(stub.pace.pause)
                let count = min(stub.pace.size, end - start)
                let first = body.startIndex + start
                try sink.write(body[first..<first + count])
                progress.bytesReceived += Int64(count)
                request.progress?(progress)
            }
            try Task.checkCancellation()
            if let cut = stub.cut {
                throw URLError(
                    cut.code, "The stub was cut off after \(end) bytes.", url: try url)
            }
            var metrics = TransportMetrics()
            metrics.bytesSent = progress.bytesSent
            metrics.bytesReceived = progress.bytesReceived
            return TransportResponse(head: head, body: try sink.finish(), metrics: metrics)
        } catch {
            sink.discard()
            throw error
        }
    }

    /// Reports how the request's body moves.
    private func upload(_ pace: StubPace, _ progress: inout TransferProgress) throws {
        guard let count = try request.bodyLength else { return }
        progress.bytesToSend = count
        while progress.bytesSent < count {
            progress.bytesSent = min(count, progress.bytesSent + Int64(pace.size))
            request.progress?(progress)
        }
    }

    /// Waits as long as the request does.
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
