import Foundation
import MoyaCore
import MoyaStubs
import MoyaMockServer

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Cancels requests at random points. Each request must complete exactly once, as cancelled or with
/// the whole response, and leave no connection behind.
enum Cancels {
    private static let roundSize = 2_000
    private static let pieces = Array(repeating: Data(repeating: 7, count: 3_000), count: 4)

    /// When a request is cancelled.
    private enum Point: CustomStringConvertible {
        case never, atOnce
        case afterYields(Int)
        /// After this time, in milliseconds.
        case after(Double)
        /// After this number of bytes of the request's and the response's body together.
        case atProgress(Int64)
        /// After the request has completed.
        case whenOver

        var byteCount: Int64? { if case .atProgress(let count) = self { count } else { nil } }

        /// Whether the request is cancelled even if it makes no progress.
        var isCertain: Bool {
            switch self {
            case .atOnce, .afterYields, .after: true
            default: false
            }
        }

        /// Whether the request has to succeed.
        var isLate: Bool {
            switch self {
            case .never, .whenOver: true
            default: false
            }
        }

        var description: String {
            switch self {
            case .never: "never cancelled"
            case .atOnce: "cancelled at once"
            case .afterYields(let count): "cancelled after \(count) yields"
            case .after(let milliseconds): "cancelled after \(milliseconds) ms"
            case .atProgress(let bytes): "cancelled at \(bytes) bytes"
            case .whenOver: "cancelled when over"
            }
        }
    }

    private struct Upload: TargetType {
        let baseURL: URL
        let path: String
        let method = MoyaCore.Method.post
        let task: RequestTask
        let headers: [String: String]? = nil
    }

    static func run(_ options: Options) async throws {
        let workload = Workload(options, unit: "requests")
        let queue = DispatchQueue(label: "completions")
        // Number of completions for each case.
        let completions = Locked<[Int: Int]>([:])
        try await Rounds.run(workload, of: roundSize) { request in
            if request.path == "/stall" { return .silence(then: .stall) }
            let response = MockResponse(body: .chunked(pieces, interval: 0.001))
            return request.bodyLength % 2 == 0 ? response : response.delayed(by: 0.003)
        } makeCase: { server, transport in
            let provider = MoyaProvider<Upload>(callbackQueue: queue, transport: transport)
            return { number in
                var random = options.generator(forCase: number)
                let point = point(&random)
                let body = random.bytes(Int.random(in: 0...40_000, using: &random))
                // The server never answers these requests: only the cancellation ends them.
                let stalls = point.isCertain && Int.random(in: 0..<4, using: &random) == 0
                let path = stalls ? "stall" : "pieces"
                let wrong =
                    if Bool.random(using: &random) {
                        await send(
                            body, to: server.url.appendingPathComponent(path), point, transport)
                    } else {
                        await request(
                            Upload(baseURL: server.url, path: path, task: .requestData(body)),
                            point, provider
                        ) {
                            completions.withLock { $0[number, default: 0] += 1 }
                        }
                    }
                if let wrong { workload.find("\(point): \(wrong)", case: number) }
            }
        }
        // The queue is serial: after this block, all completions have been delivered.
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
        for (number, count) in completions.withLock({ $0 }) where count != 1 {
            workload.find("\(count) completions", case: number)
        }
        workload.finish()
    }

    private static func point(_ random: inout SeededGenerator) -> Point {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: .never
        case 1: .atOnce
        case 2, 3, 4: .afterYields(Int.random(in: 1...60, using: &random))
        case 5, 6, 7, 8: .after(Double.random(in: 0...12, using: &random))
        case 9, 10: .atProgress(Int64.random(in: 1...52_000, using: &random))
        default: .whenOver
        }
    }

    /// Waits until `point` and calls `cancel`. Returns at once for points that `Trigger` or the
    /// caller handles.
    private static func cancel(at point: Point, _ cancel: @Sendable () -> Void) async {
        switch point {
        case .never, .whenOver, .atProgress: return
        case .atOnce: break
        case .afterYields(let count): for _ in 0..<count { await Task.yield() }
        case .after(let milliseconds):
            try? await Task.sleep(for: .microseconds(Int(milliseconds * 1000)))
        }
        cancel()
    }

    /// Sends a request with a streamed response and cancels its task. Returns what is wrong with
    /// the result, or `nil`.
    private static func send(
        _ body: Data, to url: URL, _ point: Point, _ transport: any Transport
    ) async -> String? {
        var urlRequest = URLRequest(url: url)
        urlRequest.httpMethod = "POST"
        var request = TransportRequest(urlRequest, body: .data(body), destination: .stream)
        let trigger = Trigger(at: point.byteCount)
        defer { trigger.disarm() }
        request.progress = { trigger.note($0.bytesSent + $0.bytesReceived) }
        let task = Task { [request] in
            let response = try await transport.send(request)
            switch response.body {
            case .data(let data): return data.count
            case .stream(let stream): return try await stream.collect(upTo: 1 << 20).count
            case .file: return 0
            }
        }
        trigger.arm { task.cancel() }
        await cancel(at: point) { task.cancel() }
        let result = await task.result
        if case .whenOver = point { task.cancel() }
        switch result {
        case .success(let count): return count == byteCount ? nil : "\(count) bytes"
        case .failure(let error):
            let isCancelled = (error as? URLError)?.code == .cancelled || error is CancellationError
            return isCancelled && !point.isLate ? nil : "\(error)"
        }
    }

    /// Sends a request with a completion handler and cancels it. Returns what is wrong with the
    /// result, or `nil`.
    ///
    /// - Parameter count: Called for each completion.
    private static func request(
        _ target: Upload, _ point: Point, _ provider: MoyaProvider<Upload>,
        _ count: @escaping @Sendable () -> Void
    ) async -> String? {
        let results = AsyncStream<Result<Response, MoyaError>>.makeStream()
        let trigger = Trigger(at: point.byteCount)
        defer { trigger.disarm() }
        let request = provider.request(
            target,
            progress: { progress in trigger.note(progress.progressObject?.completedUnitCount ?? 0)
            },
            completion: { result in
                count()
                results.continuation.yield(result)
                results.continuation.finish()
            })
        trigger.arm { request.cancel() }
        await cancel(at: point) { request.cancel() }
        var iterator = results.stream.makeAsyncIterator()
        guard let result = await iterator.next() else { return "no result" }
        if case .whenOver = point { request.cancel() }
        switch result {
        case .success(let response):
            return response.data.count == byteCount ? nil : "\(response.data.count) bytes"
        case .failure(let error):
            guard !point.isLate, case .underlying(let cause, _) = error else { return "\(error)" }
            return (cause as NSError).code == NSURLErrorCancelled ? nil : "\(error)"
        }
    }

    private static let byteCount = pieces.reduce(0) { $0 + $1.count }
}
