import Foundation
import MoyaCore
import Testing

@Suite struct CallbackQueueTests {
    private static let key = DispatchSpecificKey<String>()

    private func queue(_ name: String) -> DispatchQueue {
        let queue = DispatchQueue(label: name)
        queue.setSpecific(key: Self.key, value: name)
        return queue
    }

    private func place(
        of provider: MoyaProvider<GitHub>, _ queue: DispatchQueue?
    ) async -> String? {
        await withCheckedContinuation { continuation in
            provider.request(.zen, callbackQueue: queue) { _ in
                continuation.resume(returning: DispatchQueue.getSpecific(key: Self.key))
            }
        }
    }

    @Test(arguments: [StubBehavior.never, .delayed(seconds: 0.001)])
    func `completions arrive on the main queue`(behavior: StubBehavior) async {
        let provider = MoyaProvider<GitHub>(
            stubClosure: { _ in behavior }, transport: FixedTransport())
        DispatchQueue.main.setSpecific(key: Self.key, value: "main")
        #expect(await place(of: provider, nil) == "main")
    }

    @Test(arguments: [StubBehavior.never, .immediate, .delayed(seconds: 0.001)])
    func `completions arrive on the provider's queue`(behavior: StubBehavior) async {
        let provider = MoyaProvider<GitHub>(
            stubClosure: { _ in behavior }, callbackQueue: queue("provider"),
            transport: FixedTransport())
        #expect(await place(of: provider, nil) == "provider")
    }

    @Test(arguments: [StubBehavior.never, .immediate, .delayed(seconds: 0.001)])
    func `the request's queue goes before the provider's`(behavior: StubBehavior) async {
        let provider = MoyaProvider<GitHub>(
            stubClosure: { _ in behavior }, callbackQueue: queue("provider"),
            transport: FixedTransport())
        #expect(await place(of: provider, queue("request")) == "request")
    }

    @Test func `failures arrive on the queue as well`() async {
        let provider = MoyaProvider<GitHub>(
            endpointClosure: { _ in .test(url: "no URL") }, callbackQueue: queue("provider"),
            transport: FixedTransport())
        #expect(await place(of: provider, nil) == "provider")
    }

    @Test func `progress arrives on the queue, in order, before the completion`() async {
        let queue = queue("request")
        let log = Recorder<String>()
        let provider = MoyaProvider<GitHub>(transport: ReportingTransport(counts: [25, 50, 100]))
        await withCheckedContinuation { continuation in
            provider.request(
                .zen, callbackQueue: queue,
                progress: { progress in
                    #expect(DispatchQueue.getSpecific(key: Self.key) == "request")
                    log.record("\(progress.progress) \(progress.completed)")
                },
                completion: { _ in
                    log.record("completion")
                    continuation.resume()
                })
        }
        #expect(
            log.items == ["0.25 false", "0.5 false", "1.0 false", "1.0 true", "completion"])
    }
}

/// Reports these counts out of 100, and answers.
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
        let provider = MoyaProvider<AnyTarget>(transport: transport)
        _ = try await provider.request(AnyTarget(method: .post, task: task), progress: log.record)
        return log.items
    }

    @Test func `rises to 1 and is completed with the response`() async throws {
        let reports = try await reports(ReportingTransport(counts: [25, 50, 75, 100]))
        #expect(reports.map(\.progress) == [0.25, 0.5, 0.75, 1, 1])
        #expect(reports.map(\.completed) == [false, false, false, false, true])
        #expect(reports.allSatisfy { $0.progressObject != nil })
        #expect(reports.last?.response?.statusCode == 200)
    }

    @Test func `stays 0 until the end where the length is not known`() async throws {
        let reports = try await reports(ReportingTransport(counts: [10, 20], total: nil))
        #expect(reports.map(\.progress) == [0, 0, 1])
        #expect(reports.first?.progressObject?.completedUnitCount == 10)
    }

    @Test func `of an upload counts what was sent`() async throws {
        let upload = RequestTask(body: .upload(EndpointEqualityTests.Body(name: "x")))
        let reports = try await reports(
            ReportingTransport(counts: [50, 100], isUpload: true), task: upload)
        #expect(reports.map(\.progress) == [0.5, 1, 1])
    }

    @Test func `of a request with a body counts what was received`() async throws {
        let reports = try await reports(
            ReportingTransport(counts: [50, 100], isUpload: true), task: .requestData(Data([1])))
        #expect(reports.map(\.progress) == [1])
    }

    @Test func `reports made earlier do not move on`() async throws {
        let reports = try await reports(ReportingTransport(counts: [25, 100]))
        #expect(reports.first?.progressObject?.completedUnitCount == 25)
    }

    @Test func `without a response is not completed`() {
        #expect(ProgressResponse().progress == 0)
        #expect(ProgressResponse().completed == false)
        #expect(ProgressResponse(response: Response("")).progress == 1)
        let progress = Progress(totalUnitCount: 4)
        progress.completedUnitCount = 1
        #expect(ProgressResponse(progress: progress).progress == 0.25)
    }
}
