import Foundation
import MoyaCore
import MoyaTestSupport
import Testing

/// Reports these byte counts and responds.
struct ReportingTransport: Transport {
    var counts: [Int64]
    var total: Int64? = 100
    var isUpload = false

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        for count in counts {
            request.progress?(
                isUpload
                    ? TransferProgress(bytesSent: count, bytesToSend: total)
                    : TransferProgress(bytesReceived: count, bytesToReceive: total))
        }
        return try await FixedTransport().send(request)
    }
}

@Suite struct ProgressTests {
    private func reports(
        _ transport: ReportingTransport, task: RequestTask = .requestPlain
    ) async throws -> [ProgressResponse] {
        let log = Recorder<ProgressResponse>()
        let provider = MoyaProvider<AnyTarget>(
            callbackQueue: DispatchQueue(label: "callbacks"), transport: transport)
        try await withCallback { (continuation: Callback<Void>) in
            provider.request(
                AnyTarget(method: .post, task: task), progress: log.record,
                completion: { _ in continuation.resume() })
        }
        return log.items
    }

    @Test func `progress rises to 1 and is completed with the response`() async throws {
        let reports = try await reports(ReportingTransport(counts: [25, 50, 75, 100]))
        #expect(reports.map(\.progress) == [0.25, 0.5, 0.75, 1, 1])
        #expect(reports.map(\.completed) == [false, false, false, false, true])
        #expect(reports.allSatisfy { $0.progressObject != nil })
        #expect(reports.last?.response?.statusCode == 200)
    }

    @Test func `progress arrives in order on a concurrent queue, before the completion`()
        async throws
    {
        let log = Recorder<Double>()
        let provider = MoyaProvider<AnyTarget>(
            callbackQueue: .global(),
            transport: ReportingTransport(counts: Array(1...500), total: 500))
        try await withCallback { (continuation: Callback<Void>) in
            provider.request(
                AnyTarget(),
                progress: { report in log.record(report.completed ? 2 : report.progress) },
                completion: { _ in
                    log.record(3)
                    continuation.resume()
                })
        }
        #expect(log.items == log.items.sorted())
        #expect(log.items.suffix(2) == [2, 3])
    }

    @Test func `a joined request gets only the completed progress report`() async throws {
        let transport = GatedTransport()
        let provider = MoyaProvider<AnyTarget>(
            callbackQueue: DispatchQueue(label: "callbacks"), transport: transport,
            trackInflights: true)
        let log = Recorder<Bool>()
        try await withCallback { (continuation: Callback<Void>) in
            provider.request(AnyTarget()) { _ in }
            provider.request(
                AnyTarget(), progress: { log.record($0.completed) },
                completion: { _ in continuation.resume() })
            transport.open()
        }
        #expect(transport.sendCount == 1)
        #expect(log.items == [true])
    }

    @Test func `progress stays 0 until the end when the length is unknown`() async throws {
        let reports = try await reports(ReportingTransport(counts: [10, 20], total: nil))
        #expect(reports.map(\.progress) == [0, 0, 1])
        #expect(reports.first?.progressObject?.completedUnitCount == 10)
    }

    @Test func `progress of an upload counts the bytes sent`() async throws {
        let upload = RequestTask(body: .upload(EndpointEqualityTests.Body(name: "x")))
        let reports = try await reports(
            ReportingTransport(counts: [50, 100], isUpload: true), task: upload)
        #expect(reports.map(\.progress) == [0.5, 1, 1])
    }

    @Test func `progress of a request with a data body does not count the bytes sent`() async throws
    {
        let reports = try await reports(
            ReportingTransport(counts: [50, 100], isUpload: true), task: .requestData(Data([1])))
        #expect(reports.map(\.progress) == [1])
    }

    @Test func `a progress report keeps its byte count when later reports arrive`() async throws {
        let reports = try await reports(ReportingTransport(counts: [25, 100]))
        #expect(reports.first?.progressObject?.completedUnitCount == 25)
    }

    @Test func `a ProgressResponse is completed only with a response`() {
        #expect(ProgressResponse().progress == 0)
        #expect(ProgressResponse().completed == false)
        #expect(ProgressResponse(response: Response("")).progress == 1)
        let progress = Progress(totalUnitCount: 4)
        progress.completedUnitCount = 1
        #expect(ProgressResponse(progress: progress).progress == 0.25)
    }

    @Test func `progress with a total of 0 stays 0 until the response is there`() {
        let progress = Progress(totalUnitCount: 0)
        progress.completedUnitCount = 5
        #expect(ProgressResponse(progress: progress).progress == 0)
    }

    @Test func `an immediate stub reports progress once, completed with the response`() async {
        let reports = Recorder<ProgressResponse>()
        let provider = MoyaProvider<GitHub>(
            stubClosure: MoyaProvider.immediatelyStub, transport: FixedTransport())
        provider.request(.zen, progress: reports.record) { _ in #expect(reports.count == 1) }
        #expect(reports.items.map(\.progress) == [1])
        #expect(reports.items.first?.response?.data == GitHub.zen.sampleData)
    }
}

@Suite struct LateProgressTests {
    private let queue = DispatchQueue(label: "callbacks")
    private let transport = GatedTransport()
    private let sent = Recorder<TransportRequest>()
    private let reports = Recorder<ProgressResponse>()

    /// Records requests, so that a test can report progress at any time.
    private struct Noting: Transport {
        let sent: Recorder<TransportRequest>
        let next: GatedTransport
        func send(_ request: TransportRequest) async throws -> TransportResponse {
            sent.record(request)
            return try await next.send(request)
        }
    }

    private func provider(tracksInflights: Bool = false) -> MoyaProvider<GitHub> {
        MoyaProvider<GitHub>(
            callbackQueue: queue, transport: Noting(sent: sent, next: transport),
            trackInflights: tracksInflights)
    }

    private func report(_ count: Int64) {
        for request in sent.items { request.progress?(TransferProgress(bytesReceived: count)) }
        // Waits until the reports have been delivered.
        queue.sync {}
    }

    @Test func `progress does not arrive after a cancel`() async throws {
        let provider = provider()
        try await withCallback { continuation in
            let token = provider.request(.zen, progress: reports.record) { _ in
                continuation.resume()
            }
            Task {
                try await transport.waitForSends(1)
                report(1)
                token.cancel()
            }
        }
        report(2)
        #expect(reports.items.map { $0.progressObject?.completedUnitCount } == [1])
    }

    @Test func `progress does not arrive for a cancelled request of a shared exchange`()
        async throws
    {
        let provider = provider(tracksInflights: true)
        try await withCallback { (continuation: Callback<Void>) in
            let first = provider.request(.zen, progress: reports.record) { _ in
                continuation.resume()
            }
            provider.request(.zen) { _ in }
            first.cancel()
        }
        try await transport.waitForSends(1)
        report(1)
        transport.open()
        _ = try? await provider.request(.zen)
        queue.sync {}
        #expect(reports.count == 0)
    }

    @Test func `progress does not arrive after the completion`() async throws {
        transport.open()
        let provider = provider()
        try await withCallback { (continuation: Callback<Void>) in
            provider.request(.zen, progress: reports.record) { _ in continuation.resume() }
        }
        report(1)
        #expect(reports.items.map(\.completed) == [true])
    }
}

@Suite(.timeLimit(.minutes(3))) struct ProgressSequenceTests {
    @Test func `a progress sequence ends with the response that the plugins' process returns`()
        async throws
    {
        struct Renaming: PluginType {
            func process(
                _ result: Result<Response, MoyaError>, target: any TargetType
            ) -> Result<Response, MoyaError> { .success(Response("processed")) }
        }
        let provider = MoyaProvider<GitHub>(
            transport: ReportingTransport(counts: [25, 100]), plugins: [Renaming()])
        var last: ProgressResponse?
        var progress: [Double] = []
        for try await report in provider.progress(of: .zen) {
            last = report
            progress.append(report.progress)
        }
        #expect(try last?.response?.mapString() == "processed")
        #expect(last?.progressObject?.completedUnitCount == 100)
        #expect(progress == progress.sorted())
    }

    @Test func `a progress sequence delivers every report if its loop waits for each report`()
        async throws
    {
        let transport = GatedTransport()
        let sent = Recorder<TransportRequest>()
        let provider = MoyaProvider<GitHub>(
            transport: NotingTransport(sent: sent, next: transport))
        var iterator = provider.progress(of: .zen).makeAsyncIterator()
        try await transport.waitForSends(1)
        for count in [Int64(25), 50] {
            sent.items.first?.progress?(TransferProgress(bytesReceived: count, bytesToReceive: 100))
            let report = try await iterator.next()
            #expect(report?.progressObject?.completedUnitCount == count)
            #expect(report?.completed == false)
        }
        transport.open()
        #expect(try await iterator.next()?.response?.statusCode == 200)
        #expect(try await iterator.next() == nil)
    }

    @Test func `a progress sequence throws the MoyaError of its request`() async throws {
        let provider = MoyaProvider<GitHub>(
            transport: FixedTransport(error: URLError(.cannotFindHost)))
        let error = await #expect(throws: MoyaError.self) {
            for try await _ in provider.progress(of: .zen) {}
        }
        #expect((error?.underlyingError as? URLError)?.code == .cannotFindHost)
    }

    @Test func `a progress sequence retains its provider`() async throws {
        var last: ProgressResponse?
        for try await report in MoyaProvider<GitHub>(transport: FixedTransport())
            .progress(of: .zen)
        { last = report }
        #expect(last?.response?.statusCode == 200)
    }

    @Test(arguments: [true, false])
    func `leaving the loop of a progress sequence or its task cancels the request`(
        isByTask: Bool
    ) async throws {
        let transport = GatedTransport()
        let (sent, spy) = (Recorder<TransportRequest>(), SpyPlugin())
        let provider = MoyaProvider<GitHub>(
            transport: NotingTransport(sent: sent, next: transport), plugins: [spy])
        let task = Task { for try await _ in provider.progress(of: .zen) { break } }
        try await transport.waitForSends(1)
        if isByTask {
            task.cancel()
        } else {
            sent.items.first?.progress?(TransferProgress(bytesReceived: 25, bytesToReceive: 100))
        }
        _ = await task.result
        try await until { spy.events.items.contains("didReceive") }
    }
}

/// Records requests before it passes them on.
private struct NotingTransport: Transport {
    let sent: Recorder<TransportRequest>
    let next: GatedTransport

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        sent.record(request)
        return try await next.send(request)
    }
}
