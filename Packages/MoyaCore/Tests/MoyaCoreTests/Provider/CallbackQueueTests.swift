import Foundation
import MoyaCore
import MoyaTestSupport
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
    ) async throws -> String? {
        try await withCallback { continuation in
            provider.request(.zen, callbackQueue: queue) { _ in
                continuation.resume(returning: DispatchQueue.getSpecific(key: Self.key))
            }
        }
    }

    @Test(arguments: [StubBehavior.never, .delayed(seconds: 0.001)])
    func `completions arrive on the main queue by default`(behavior: StubBehavior) async throws {
        let provider = MoyaProvider<GitHub>(
            stubClosure: { _ in behavior }, transport: FixedTransport())
        DispatchQueue.main.setSpecific(key: Self.key, value: "main")
        #expect(try await place(of: provider, nil) == "main")
    }

    @Test(arguments: [StubBehavior.never, .immediate, .delayed(seconds: 0.001)])
    func `completions arrive on the provider's callback queue`(behavior: StubBehavior) async throws
    {
        let provider = MoyaProvider<GitHub>(
            stubClosure: { _ in behavior }, callbackQueue: queue("provider"),
            transport: FixedTransport())
        #expect(try await place(of: provider, nil) == "provider")
    }

    @Test(arguments: [StubBehavior.never, .immediate, .delayed(seconds: 0.001)])
    func `completions arrive on the request's callback queue, not on the provider's`(
        behavior: StubBehavior
    ) async throws {
        let provider = MoyaProvider<GitHub>(
            stubClosure: { _ in behavior }, callbackQueue: queue("provider"),
            transport: FixedTransport())
        #expect(try await place(of: provider, queue("request")) == "request")
    }

    @Test func `the completion of a failed request arrives on the provider's callback queue`()
        async throws
    {
        let provider = MoyaProvider<GitHub>(
            endpointClosure: { _ in .test(url: "no URL") }, callbackQueue: queue("provider"),
            transport: FixedTransport())
        #expect(try await place(of: provider, nil) == "provider")
    }

    @Test func `progress arrives on the callback queue, in order, before the completion`()
        async throws
    {
        let queue = queue("request")
        let log = Recorder<String>()
        let provider = MoyaProvider<GitHub>(transport: ReportingTransport(counts: [25, 50, 100]))
        try await withCallback { continuation in
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
