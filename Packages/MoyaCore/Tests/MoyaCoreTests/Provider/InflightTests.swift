import Foundation
import MoyaCore
import MoyaTestSupport
import Testing

@Suite(.timeLimit(.minutes(3))) struct InflightTests {
    private func provider(
        _ transport: any Transport, plugins: [any PluginType] = []
    ) -> MoyaProvider<GitHub> {
        MoyaProvider<GitHub>(
            callbackQueue: DispatchQueue(label: "callbacks"), transport: transport,
            plugins: plugins,
            trackInflights: true)
    }

    @Test func `equal requests share one exchange and its response`() async throws {
        let transport = GatedTransport()
        let spy = SpyPlugin()
        let provider = provider(transport, plugins: [spy])
        let responses = Recorder<Response>()
        let counts = Recorder<Int>()
        #expect(provider.inflightRequests.isEmpty)
        try await withCallback { (continuation: Callback<Void>) in
            for _ in 0..<2 {
                provider.request(.zen) { result in
                    if case .success(let response) = result { responses.record(response) }
                    if counts.add(provider.inflightRequests.count) == 2 { continuation.resume() }
                }
            }
            #expect(provider.inflightRequests.count == 1)
            #expect(provider.inflightRequests.values.first?.count == 2)
            transport.open()
        }
        #expect(transport.sendCount == 1)
        #expect(responses.count == 2)
        #expect(responses.items[0] === responses.items[1])
        #expect(counts.items == [1, 1])
        #expect(spy.events.items.filter { $0 == "didReceive" }.count == 1)
        #expect(spy.events.items.filter { $0 == "process" }.count == 2)
        try await waitUntilEmpty(provider)
    }

    @Test func `a joined request is answered while the first request's callback queue is blocked`()
        async throws
    {
        let transport = GatedTransport()
        let spy = SpyPlugin()
        let provider = provider(transport, plugins: [spy])
        let (blocked, free) = (DispatchQueue(label: "blocked"), DispatchQueue(label: "free"))
        let answers = Recorder<String>()
        blocked.suspend()
        try await withCallback { (continuation: Callback<Void>) in
            provider.request(.zen, callbackQueue: blocked) { _ in answers.record("first") }
            provider.request(.zen, callbackQueue: free) { _ in
                answers.record("joined")
                continuation.resume()
            }
            transport.open()
        }
        #expect(transport.sendCount == 1)
        #expect(answers.items == ["joined"])
        // Plugins receive the result before any caller does.
        #expect(spy.events.items.contains("didReceive"))
        blocked.resume()
        try await until { answers.count == 2 }
        try await waitUntilEmpty(provider)
    }

    /// A transport that does not notice a cancellation.
    private struct DeafTransport: Transport {
        let sends = Recorder<UnsafeContinuation<Void, Never>>()

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            await withUnsafeContinuation { sends.record($0) }
            return try await FixedTransport().send(request)
        }
    }

    @Test func `plugins receive the cancellation of a shared request before its completion`()
        async throws
    {
        let transport = DeafTransport()
        let spy = SpyPlugin()
        let codes = Recorder<Int?>()
        let provider = provider(transport, plugins: [spy])
        let token = provider.request(.zen) { result in
            codes.record(result.urlErrorCode)
            spy.events.record("completion")
        }
        try await until { transport.sends.count == 1 }
        token.cancel()
        try await until { codes.count == 1 }
        #expect(codes.items == [NSURLErrorCancelled])
        let events = ["prepare", "willSend", "didReceive", "process", "completion"]
        #expect(spy.events.items == events)
        for send in transport.sends.items { send.resume() }
        _ = try await MoyaProvider<GitHub>(transport: FixedTransport()).request(.zen)
        #expect(spy.events.items == events)
    }

    @Test func `an awaited request calls the stub closure once`() async throws {
        let calls = Recorder<GitHub>()
        let provider = MoyaProvider<GitHub>(
            stubClosure: { target in
                calls.record(target)
                return .never
            }, transport: FixedTransport(), trackInflights: true)
        _ = try await provider.request(.zen)
        #expect(calls.count == 1)
    }

    /// Waits until the in-flight entry is removed, after the last completion on the same queue.
    private func waitUntilEmpty(_ provider: MoyaProvider<GitHub>) async throws {
        try await withCallback { continuation in
            DispatchQueue.global().async { continuation.resume() }
        }
        try await until { provider.inflightRequests.isEmpty }
    }

    @Test func `requests for different targets do not share an exchange`() async throws {
        let transport = GatedTransport()
        let provider = provider(transport)
        async let first = provider.request(.zen)
        async let second = provider.request(.userProfile("a"))
        try await transport.waitForSends(2)
        #expect(provider.inflightRequests.count == 2)
        transport.open()
        _ = try await (first, second)
    }

    @Test func `requests that differ only in their body do not share an exchange`() async throws {
        let transport = GatedTransport()
        let provider = MoyaProvider<AnyTarget>(transport: transport, trackInflights: true)
        async let first = provider.request(AnyTarget(method: .post, task: .requestData(Data([1]))))
        async let second = provider.request(AnyTarget(method: .post, task: .requestData(Data([2]))))
        try await transport.waitForSends(2)
        transport.open()
        _ = try await (first, second)
        #expect(transport.sendCount == 2)
    }

    @Test(arguments: [
        AnyTarget(task: RequestTask(delivery: MemoryDelivery(limit: 10))),
        AnyTarget(timeoutInterval: 7),
        AnyTarget(cachePolicy: .reloadIgnoringLocalCacheData),
        AnyTarget(validationType: .successCodes),
    ])
    func `requests that differ in limit, timeout, cache policy or validation are each sent`(
        other: AnyTarget
    ) async throws {
        let transport = GatedTransport()
        let provider = MoyaProvider<AnyTarget>(transport: transport, trackInflights: true)
        async let first = provider.request(AnyTarget())
        async let second = provider.request(other)
        try await transport.waitForSends(2)
        transport.open()
        _ = try await (first, second)
    }

    @Test func `requests with a custom response delivery do not share an exchange`()
        async throws
    {
        struct ElsewhereDelivery: ResponseDelivery {
            func makeDestination() throws -> ResponseDestination { .memory(limit: 1 << 20) }
            func deliver(
                _ response: TransportResponse, from destination: ResponseDestination,
                isAccepted: Bool
            ) throws -> TransportResponse { response }
        }
        let transport = GatedTransport()
        let provider = MoyaProvider<AnyTarget>(transport: transport, trackInflights: true)
        let elsewhere = RequestTask(delivery: ElsewhereDelivery())
        async let first = provider.request(AnyTarget(task: elsewhere))
        async let second = provider.request(AnyTarget(task: elsewhere))
        async let plain = provider.request(AnyTarget())
        try await transport.waitForSends(3)
        transport.open()
        _ = try await (first, second, plain)
    }

    @Test func `requests with different redirect policies do not share an exchange`() async throws {
        let transport = GatedTransport()
        let provider = MoyaProvider<AnyTarget>(transport: transport, trackInflights: true)
        async let first = provider.request(AnyTarget())
        async let second = provider.request(AnyTarget(task: .requestPlain.redirecting(.refuse)))
        try await transport.waitForSends(2)
        transport.open()
        _ = try? await (first, second)
    }

    @Test func `an awaited request does not wait for the callback queue of its provider`()
        async throws
    {
        let queue = DispatchQueue(label: "blocked")
        queue.suspend()
        defer { queue.resume() }
        let provider = MoyaProvider<GitHub>(
            callbackQueue: queue, transport: FixedTransport(), trackInflights: true)
        #expect(try await provider.request(.zen).statusCode == 200)
    }

    @Test func `trackInflights sends each of consecutive equal requests`() async throws {
        let transport = GatedTransport()
        transport.open()
        let provider = provider(transport)
        for _ in 0..<3 { _ = try await provider.request(.zen) }
        #expect(transport.sendCount == 3)
        try await waitUntilEmpty(provider)
    }

    /// Sends two equal requests, of which the second joins the first, and lets `cancel` cancel one
    /// of them. The cancelled request's completion opens the transport, which completes the other
    /// request.
    private func expectOneCancel(
        _ cancel: (_ first: any Cancellable, _ joiner: any Cancellable) -> Void
    ) async throws {
        let transport = GatedTransport()
        let provider = provider(transport)
        let codes = Recorder<Int?>()
        try await withCallback { (continuation: Callback<Void>) in
            let done: Completion = { result in
                let count = codes.add(result.urlErrorCode)
                if count == 1 { transport.open() }
                if count == 2 { continuation.resume() }
            }
            let first = provider.request(.zen, completion: done)
            cancel(first, provider.request(.zen, completion: done))
        }
        #expect(codes.items == [NSURLErrorCancelled, nil])
        #expect(transport.sendCount == 1)
    }

    @Test func `cancelling a joined request leaves the first request running`() async throws {
        try await expectOneCancel { _, joiner in
            joiner.cancel()
            #expect(joiner.isCancelled)
        }
    }

    @Test func `cancelling the first request leaves the joined request running`() async throws {
        try await expectOneCancel { first, _ in first.cancel() }
    }

    @Test func `an exchange ends when all requests are cancelled, and the next request is sent`()
        async throws
    {
        let transport = GatedTransport()
        let provider = provider(transport)
        let codes = Recorder<Int?>()
        try await withCallback { (continuation: Callback<Void>) in
            let done: Completion = { result in
                if codes.add(result.urlErrorCode) == 2 { continuation.resume() }
            }
            let first = provider.request(.zen, completion: done)
            let second = provider.request(.zen, completion: done)
            first.cancel()
            second.cancel()
        }
        #expect(codes.items == [NSURLErrorCancelled, NSURLErrorCancelled])
        transport.open()
        #expect(try await provider.request(.zen).statusCode == 200)
    }

    @Test func `a request that cannot be made leaves no in-flight entry`() async throws {
        let provider = MoyaProvider<GitHub>(
            endpointClosure: { _ in .test(url: "no URL") }, transport: FixedTransport(),
            trackInflights: true)
        for _ in 0..<2 {
            guard case .failure(.requestMapping) = await provider.result(of: .zen) else {
                Issue.record("Expected .requestMapping.")
                return
            }
        }
        try await waitUntilEmpty(provider)
    }

    @Test func `a failed exchange fails all its requests and leaves no in-flight entry`()
        async throws
    {
        let transport = GatedTransport { _ in throw URLError(.networkConnectionLost) }
        let provider = provider(transport)
        let codes = Recorder<Int?>()
        try await withCallback { (continuation: Callback<Void>) in
            for _ in 0..<3 {
                provider.request(.zen) { result in
                    if codes.add(result.urlErrorCode) == 3 { continuation.resume() }
                }
            }
            transport.open()
        }
        #expect(codes.items == Array(repeating: NSURLErrorNetworkConnectionLost, count: 3))
        try await waitUntilEmpty(provider)
    }

    @Test func `the completion of a joined request runs on that request's callback queue`()
        async throws
    {
        let transport = GatedTransport()
        let provider = provider(transport)
        let own = DispatchQueue(label: "own")
        let key = DispatchSpecificKey<Bool>()
        own.setSpecific(key: key, value: true)
        try await withCallback { continuation in
            provider.request(.zen) { _ in }
            provider.request(.zen, callbackQueue: own) { _ in
                #expect(DispatchQueue.getSpecific(key: key) == true)
                continuation.resume()
            }
            transport.open()
        }
    }

    @Test func `equal awaited requests share one exchange`() async throws {
        let transport = GatedTransport()
        let provider = provider(transport)
        let responses = try await withThrowingTaskGroup(of: Response.self) { group in
            group.addTask { try await provider.request(.zen) }
            // Two requests that are sent at the same time would not share the exchange.
            try await transport.waitForSends(1)
            for _ in 1..<10 { group.addTask { try await provider.request(.zen) } }
            try await until { (provider.inflightRequests.values.first?.count ?? 0) >= 10 }
            transport.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(transport.sendCount == 1)
        #expect(responses.allSatisfy { $0 === responses[0] })
    }

    @Test func `each of 1,000 equal requests from many threads completes once`() async throws {
        let transport = GatedTransport()
        transport.open()
        let provider = provider(transport)
        let answers = Recorder<Int>()
        try await withCallback { (continuation: Callback<Void>) in
            DispatchQueue.concurrentPerform(iterations: 1000) { index in
                provider.request(.zen, callbackQueue: .global()) { _ in
                    if answers.add(index) == 1000 { continuation.resume() }
                }
            }
        }
        try await waitUntilEmpty(provider)
        // No completion has run twice.
        #expect(answers.items.sorted() == Array(0..<1000))
    }

    @Test func `equal delayed stubs share one exchange`() async throws {
        let spy = SpyPlugin()
        let queue = DispatchQueue(label: "callbacks")
        let provider = MoyaProvider<GitHub>(
            stubClosure: MoyaProvider.delayedStub(0.01), callbackQueue: queue,
            transport: FixedTransport(), plugins: [spy], trackInflights: true)
        let answers = Recorder<Bool>()
        try await withCallback { (continuation: Callback<Void>) in
            // Suspended, so that no request completes before all of them have been made.
            queue.suspend()
            for _ in 0..<3 {
                provider.request(.zen) { result in
                    if answers.add((try? result.get()) != nil) == 3 { continuation.resume() }
                }
            }
            queue.resume()
        }
        #expect(answers.items == [true, true, true])
        #expect(spy.events.items.filter { $0 == "willSend" }.count == 1)
    }

    /// Produces a different output on each call, and calls `inBetween` while it encodes.
    private struct NonceEncoding: ParameterEncoding {
        let count: Recorder<Void>
        var inBetween: @Sendable () -> Void = {}
        func encode(
            _ urlRequest: any URLRequestConvertible, with parameters: Parameters?
        ) throws -> URLRequest {
            inBetween()
            var request = try urlRequest.asURLRequest()
            request.setValue("\(count.add(()))", forHTTPHeaderField: "X-Nonce")
            return request
        }
    }

    @Test func `an encoding with a nonce runs once per request and leaves no in-flight entry`()
        async throws
    {
        let count = Recorder<Void>()
        let provider = MoyaProvider<AnyTarget>(
            callbackQueue: .global(), transport: FixedTransport(), trackInflights: true)
        let task = RequestTask.requestParameters(
            parameters: [:], encoding: NonceEncoding(count: count))
        _ = try await provider.request(AnyTarget(task: task))
        // The comparison uses the request that is sent, so the encoding runs once.
        #expect(count.count == 1)
        try await until { provider.inflightRequests.isEmpty }
    }

    @Test func `a parameter encoding may read inflightRequests of the provider`() async throws {
        let transport = GatedTransport()
        let provider = MoyaProvider<AnyTarget>(transport: transport, trackInflights: true)
        let asked = Recorder<Void>()
        let encoding = NonceEncoding(count: Recorder()) { [weak provider] in
            // Only on the first call: comparing endpoints calls their encodings again.
            if asked.add(()) == 1 { _ = provider?.inflightRequests.count }
        }
        let task = RequestTask.requestParameters(parameters: [:], encoding: encoding)
        async let first = provider.request(AnyTarget())
        try await transport.waitForSends(1)
        async let second = provider.request(AnyTarget(task: task))
        try await transport.waitForSends(2)
        transport.open()
        _ = try await (first, second)
    }
}
