import Foundation
import MoyaTesting
import MoyaInternals
import MoyaTestSupport
import Testing

@_spi(MoyaInternals) @testable import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Streamed responses", .timeLimit(.minutes(3)))
struct StreamTests {
    private enum Events: TargetType {
        case all

        var baseURL: URL { URL(fileURLWithPath: "/").absoluteURL }
        var path: String { "events" }
        var method: Moya.Method { .get }
        var task: RequestTask { .requestPlain }
        var headers: [String: String]? { nil }
        var sampleData: Data { Data("sample".utf8) }
        var validationType: ValidationType { .successCodes }
    }

    private func provider(
        plugins: [any PluginType] = [],
        stub: @escaping MoyaProvider<Events>.StubClosure = MoyaProvider.neverStub,
        _ answer: @escaping StubTransport.Handler
    ) -> MoyaProvider<Events> {
        MoyaProvider(stubClosure: stub, transport: StubTransport(answer), plugins: plugins)
    }

    @Test func `A streamed response is returned before its body is complete`() async throws {
        let source = Source()
        let provider = provider { try source.answer($0) }
        let response = try await provider.stream(.all)
        #expect(response.statusCode == 200)
        source.offer("one")
        var chunks = response.makeAsyncIterator()
        #expect(try await chunks.next() == Data("one".utf8))
        source.offer("two")
        source.finish()
        #expect(try await chunks.next() == Data("two".utf8))
        #expect(try await chunks.next() == nil)
    }

    @Test func `Plugins receive didReceive when a streamed body ends`() async throws {
        let source = Source()
        let log = EventLog()
        let provider = provider(plugins: [log]) { try source.answer($0) }
        let response = try await provider.stream(.all)
        #expect(log.events == ["prepare", "willSend"])
        source.finish()
        #expect(try await response.collect().data.isEmpty)
        #expect(log.events == ["prepare", "willSend", "didReceive 200"])
    }

    @Test func `Plugins receive the metrics and trailers of a streamed response's end`()
        async throws
    {
        struct Ends: PluginType {
            let seen: Recorder<Response>
            func didReceive(_ result: Result<Response, MoyaError>, target: any TargetType) {
                if let response = try? result.get() { seen.record(response) }
            }
        }
        let source = Source()
        let ends = Ends(seen: Recorder())
        let response = try await provider(plugins: [ends]) { try source.answer($0) }.stream(.all)
        source.offer("one")
        var metrics = TransportMetrics()
        metrics.bytesReceived = 3
        source.finish(trailers: [HeaderField(name: "Digest", value: "x")], metrics: metrics)
        #expect(try await response.collect().data == Data("one".utf8))
        let reported = try #require(ends.seen.items.first)
        #expect(reported.metrics == metrics)
        #expect(reported.trailers == [HeaderField(name: "Digest", value: "x")])
    }

    @Test func `Leaving the loop over a stream stops the exchange and reports a cancel to plugins`()
        async throws
    {
        let source = Source()
        let log = EventLog()
        let provider = provider(plugins: [log]) { try source.answer($0) }
        source.offer("one")
        for try await _ in try await provider.stream(.all) { break }
        #expect(source.wasStopped)
        #expect(log.events.last == "didReceive -999")
    }

    @Test func `Releasing an unread streamed response stops the exchange`() async throws {
        let source = Source()
        let log = EventLog()
        let provider = provider(plugins: [log]) { try source.answer($0) }
        _ = try await provider.stream(.all)
        #expect(source.wasStopped)
        #expect(log.events.last == "didReceive -999")
    }

    @Test func `A stream with a refused status fails with the response and its body`() async throws
    {
        let log = EventLog()
        let provider = provider(plugins: [log]) { request in
            try .stub(status: 404, data: Data("not here".utf8), for: request)
        }
        let error = await #expect(throws: MoyaError.self) { try await provider.stream(.all) }
        #expect(error?.response?.statusCode == 404)
        #expect(error?.response?.data == Data("not here".utf8))
        #expect(log.events == ["prepare", "willSend", "didReceive failure", "process"])
    }

    @Test func `The body of an unvalidated response with a refused status is that of its error`()
        async throws
    {
        let provider = provider { try .stub(status: 404, data: Data("not here".utf8), for: $0) }
        let response = try await provider.unvalidatedStream(.all) { $0 }
        #expect(response.statusCode == 404)
        var body = Data()
        for try await chunk in response.body { body += chunk }
        #expect(body == Data("not here".utf8))
        #expect(await response.refusal().response?.data == body)
    }

    @Test func `Plugins receive didReceive for a streamed body that cannot be read`() async throws {
        let log = EventLog()
        let folder = try TemporaryFolder()
        let file = folder.file()
        let provider = provider(plugins: [log]) { request in
            var answer = try TransportResponse.stub(data: Data(), for: request)
            answer.body = .file(file)
            return answer
        }
        await #expect(throws: MoyaError.self) { try await provider.stream(.all) }
        #expect(log.events.contains { $0.hasPrefix("didReceive") })
    }

    @Test func `Collecting a stream that breaks off throws a MoyaError with the response`()
        async throws
    {
        let source = Source()
        let provider = provider { try source.answer($0) }
        let response = try await provider.stream(.all)
        source.offer("one")
        source.finish(URLError(.networkConnectionLost))
        let error = await #expect(throws: MoyaError.self) { try await response.collect() }
        #expect((error?.underlyingError as? URLError)?.code == .networkConnectionLost)
        #expect(error?.response?.statusCode == 200)
    }

    @Test func `The loop over a stream that breaks off throws a MoyaError with the response`()
        async throws
    {
        let source = Source()
        let provider = provider { try source.answer($0) }
        let response = try await provider.stream(.all)
        source.finish(URLError(.networkConnectionLost))
        let error = await #expect(throws: MoyaError.self) { for try await _ in response {} }
        #expect(error?.response?.statusCode == 200)
        #expect(error?.response?.request == response.request)
    }

    @Test func `Reading the beginning of an endless body returns what arrives within the timeout`()
        async throws
    {
        let stopped = Locked(false)
        let channel = ResponseBodyWriter(resume: {}, stop: { stopped.withLock { $0 = true } })
        _ = Data("so far".utf8).withUnsafeBytes { channel.offer($0) }
        let data = await ResponseBodyStream(channel).beginning(1 << 20, within: 1)
        #expect(data == Data("so far".utf8))
        // The reader is resumed before the transport is stopped.
        try await until { stopped.withLock { $0 } }
    }

    @Test func `A collected streamed response has its trailers`() async throws {
        let source = Source()
        let response = try await provider { try source.answer($0) }.stream(.all)
        let trailers = [HeaderField(name: "X-Sum", value: "1")]
        source.offer("one")
        source.finish(trailers: trailers)
        let collected = try await response.collect()
        #expect(collected.data == Data("one".utf8))
        #expect(collected.trailers == trailers)
    }

    @Test func `Collecting more than the limit of a stream fails with dataLengthExceedsMaximum`()
        async throws
    {
        let provider = provider { try .stub(data: Data(count: 11), for: $0) }
        let response = try await provider.stream(.all)
        let error = await #expect(throws: MoyaError.self) { try await response.collect(upTo: 10) }
        #expect((error?.underlyingError as? URLError)?.code == .dataLengthExceedsMaximum)
    }

    @Test(arguments: [StubBehavior.immediate, .delayed(seconds: 0.001)])
    func `A stubbed target streams its sample data`(behavior: StubBehavior) async throws {
        let provider = provider(stub: { _ in behavior }) { _ in throw URLError(.unknown) }
        #expect(try await provider.stream(.all).collect().data == Data("sample".utf8))
    }

    @Test func `A stream that is not read applies back-pressure to the transport`() async throws {
        let source = Source()
        let response = try await provider { try source.answer($0) }.stream(.all)
        let piece = String(repeating: "x", count: 100_000)
        #expect(source.offer(piece) && source.offer(piece))
        #expect(!source.offer(piece))
        #expect(source.resumeCount == 0)
        var chunks = response.makeAsyncIterator()
        #expect(try await chunks.next()?.count == 200_000)
        #expect(source.resumeCount == 1)
        #expect(source.offer(piece))
    }

    @Test func `Writing to a stream waits while as many bytes as the capacity are unread`()
        async throws
    {
        let writer = ResponseBodyWriter(capacity: 10, stop: {})
        let written = Locked(0)
        let writing = Task {
            for _ in 0..<200 {
                try await writer.write(Data(count: 10))
                written.withLock { $0 += 10 }
            }
            writer.finish(.success(.init(trailers: [], metrics: TransportMetrics())))
        }
        var read = 0
        for try await chunk in ResponseBodyStream(writer) {
            read += chunk.count
            #expect(written.withLock { $0 } <= read + 10)
        }
        try await writing.value
        #expect(read == 2000)
    }

    @Test
    func
        `An action at the end of a stream is called although an earlier action cancels the stream`()
        throws
    {
        let writer = ResponseBodyWriter(resume: {}, stop: {})
        let stream = ResponseBodyStream(writer)
        let endings = Locked<[[HeaderField]]>([])
        // With unread bytes, a cancel replaces the reader's outcome by an error.
        #expect(Data("unread".utf8).withUnsafeBytes { writer.offer($0) })
        stream.whenEnded { _ in stream.cancel() }
        stream.whenEnded { outcome in
            if case .success(let ending) = outcome {
                endings.withLock { $0.append(ending.trailers) }
            }
        }
        let trailers = [HeaderField(name: "Checksum", value: "1")]
        writer.finish(.success(.init(trailers: trailers, metrics: TransportMetrics())))
        #expect(endings.withLock { $0 } == [trailers])
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `A reader does not see the end of a stream before the actions at its end have run`()
        async throws
    {
        let writer = ResponseBodyWriter(stop: {})
        let stream = ResponseBodyStream(writer)
        #expect(Data("last".utf8).withUnsafeBytes { writer.offer($0) })
        let events = Locked<[String]>([])
        let reader = Locked<Task<Void, any Error>?>(nil)
        stream.whenEnded { _ in
            // Reads on this thread until it has to wait.
            let reading = Task(executorPreference: InlineExecutor()) {
                for try await piece in stream {
                    events.withLock { $0.append(String(decoding: piece, as: UTF8.self)) }
                }
                events.withLock { $0.append("end") }
            }
            reader.withLock { $0 = reading }
            events.withLock { $0.append("action") }
        }
        try await onThread {
            writer.finish(.success(.init(trailers: [], metrics: TransportMetrics())))
        }
        let reading = try #require(reader.withLock { $0 })
        try await reading.value
        #expect(events.withLock { $0 } == ["last", "action", "end"])
    }

    @Test(arguments: [true, false])
    func `Writing to a full stream throws cancelled once the stream or the task is cancelled`(
        cancelsStream: Bool
    ) async throws {
        let writer = ResponseBodyWriter(capacity: 10, stop: {})
        let stream = ResponseBodyStream(writer)
        try await writer.write(Data(count: 10))
        let writing = Task { try await writer.write(Data(count: 1)) }
        if cancelsStream { stream.cancel() } else { writing.cancel() }
        let error = await #expect(throws: URLError.self) { try await writing.value }
        #expect(error?.code == .cancelled)
        stream.cancel()
    }

    @Test func `Collecting a stream cancelled before its end was read throws a MoyaError`()
        async throws
    {
        let source = Source()
        let response = try await provider { try source.answer($0) }.stream(.all)
        source.offer("one")
        source.finish()
        response.cancel()
        await #expect(throws: MoyaError.self) { try await response.collect() }
    }
}

/// The transport's side of a stream.
private final class Source: Sendable {
    private let resumes = Locked(0)
    private let stopped = Locked(false)
    private let channel = Locked<ResponseBodyWriter?>(nil)
    private let waiting = Locked<[String]>([])

    var resumeCount: Int { resumes.withLock { $0 } }
    var wasStopped: Bool { stopped.withLock { $0 } }

    func answer(_ request: TransportRequest) throws -> TransportResponse {
        guard case .stream = request.destination, let url = request.urlRequest.url else {
            throw URLError(.badURL)
        }
        let channel = ResponseBodyWriter(
            resume: { [resumes] in resumes.withLock { $0 += 1 } },
            stop: { [stopped] in stopped.withLock { $0 = true } })
        self.channel.withLock { $0 = channel }
        for text in waiting.withLock({ $0 }) { offer(text) }
        return TransportResponse(
            head: ResponseHead(statusCode: 200, url: url),
            body: .stream(ResponseBodyStream(channel)))
    }

    /// Offers `text`, or stores it if there is no request yet.
    @discardableResult
    func offer(_ text: String) -> Bool {
        guard let channel = channel.withLock({ $0 }) else {
            waiting.withLock { $0.append(text) }
            return true
        }
        return Data(text.utf8).withUnsafeBytes { channel.offer($0) }
    }

    func finish(
        _ error: (any Error)? = nil, trailers: [HeaderField] = [],
        metrics: TransportMetrics = TransportMetrics()
    ) {
        let ending = ResponseBodyWriter.Ending(trailers: trailers, metrics: metrics)
        channel.withLock { $0 }?.finish(error.map { .failure($0) } ?? .success(ending))
    }
}

/// Runs each job at once, on the thread that enqueues it.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
private final class InlineExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
    }
}

private final class EventLog: PluginType {
    private let log = Locked<[String]>([])
    var events: [String] { log.withLock { $0 } }

    func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
        note("prepare")
        return request
    }

    func willSend(_ request: any RequestType, target: any TargetType) { note("willSend") }

    func didReceive(_ result: Result<Response, MoyaError>, target: any TargetType) {
        switch result {
        case .success(let response): note("didReceive \(response.statusCode)")
        case .failure(let error):
            let code = (error.underlyingError as? URLError)?.code.rawValue
            note("didReceive " + (code.map { "\($0)" } ?? "failure"))
        }
    }

    func process(
        _ result: Result<Response, MoyaError>, target: any TargetType
    ) -> Result<Response, MoyaError> {
        note("process")
        return result
    }

    private func note(_ event: String) { log.withLock { $0.append(event) } }
}
