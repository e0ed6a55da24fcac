import Foundation
import MoyaCore
import MoyaTesting
import MoyaTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct CancellationTests {
    @Test func `a token runs its action once, and its description says that it is cancelled`() {
        let calls = Recorder<Void>()
        let token = CancellableToken { calls.record(()) }
        #expect(token.debugDescription == "CancellableToken")
        for _ in 0..<2 { token.cancel() }
        #expect(calls.items.count == 1)
        #expect(token.debugDescription == "CancellableToken (cancelled)")
    }

    @Test func `a cancelled request fails with NSURLErrorCancelled`() async throws {
        let transport = GatedTransport()
        let spy = SpyPlugin()
        let provider = MoyaProvider<GitHub>(transport: transport, plugins: [spy])
        let results = Recorder<Int?>()
        let code = try await withCallback {
            (continuation: Callback<Int?>) in
            let token = provider.request(.zen, callbackQueue: .global()) { result in
                results.record(result.urlErrorCode)
                continuation.resume(returning: result.urlErrorCode)
            }
            #expect(token.isCancelled == false)
            token.cancel()
            token.cancel()
            #expect(token.isCancelled)
        }
        #expect(code == NSURLErrorCancelled)
        transport.open()
        #expect(results.count == 1)
        #expect(spy.events.items == ["prepare", "willSend", "didReceive", "process"])
    }

    /// Responds although its task is cancelled.
    private struct UncancellableTransport: Transport {
        func send(_ request: TransportRequest) async throws -> TransportResponse {
            withUnsafeCurrentTask { $0?.cancel() }
            return try .stub(for: request)
        }
    }

    @Test func `a cancelled await fails although the transport returns a response`() async {
        let spy = SpyPlugin()
        let provider = MoyaProvider<GitHub>(transport: UncancellableTransport(), plugins: [spy])
        let result = await Task { try await provider.request(.zen) }.result
        let error = #expect(throws: MoyaError.self) { try result.get() }
        #expect((error?.underlyingError as? URLError)?.code == .cancelled)
        #expect(spy.events.items == ["prepare", "willSend", "didReceive", "process"])
    }

    @Test func `a request cancelled before the request closure answers is not sent`() async throws {
        let spy = SpyPlugin()
        let transport = GatedTransport()
        let pending = Recorder<MoyaProvider<GitHub>.RequestResultClosure>()
        let provider = MoyaProvider<GitHub>(
            requestClosure: { _, done in pending.record(done) }, transport: transport,
            plugins: [spy])
        let code = try await withCallback { continuation in
            provider.request(.zen, callbackQueue: .global()) {
                continuation.resume(returning: $0.urlErrorCode)
            }.cancel()
        }
        pending.items.first?(.success(URLRequest(url: url("http://late.test"))))
        #expect(code == NSURLErrorCancelled)
        #expect(transport.sendCount == 0)
        #expect(spy.events.items == ["process"])
    }

    @Test func `cancelling a completed request does not call the completion again`() async throws {
        let provider = MoyaProvider<GitHub>(transport: FixedTransport())
        let results = Recorder<Bool>()
        let box = Recorder<any Cancellable>()
        try await withCallback { continuation in
            let token = provider.request(.zen, callbackQueue: .global()) { result in
                results.record((try? result.get()) != nil)
                continuation.resume()
            }
            box.record(token)
        }
        box.items.first?.cancel()
        #expect(results.items == [true])
    }

    @Test func `cancelling the task that awaits a request cancels the request`() async throws {
        let transport = GatedTransport()
        let provider = MoyaProvider<GitHub>(transport: transport)
        let task = Task { try await provider.request(.zen) }
        try await transport.waitForSends(1)
        task.cancel()
        let result = await task.result.mapError { $0 as? MoyaError ?? .underlying($0, nil) }
        #expect(result.urlErrorCode == NSURLErrorCancelled)
    }

    @Test(arguments: [false, true])
    func `cancelling the awaiting task ends the wait for the request closure`(tracksInflights: Bool)
        async throws
    {
        let asked = GatedTransport()
        let provider = MoyaProvider<GitHub>(
            requestClosure: { _, _ in
                Task { try await asked.send(TransportRequest(URLRequest(url: url("http://a")))) }
            },
            transport: FixedTransport(), trackInflights: tracksInflights)
        let task = Task { try await provider.request(.zen) }
        try await asked.waitForSends(1)
        task.cancel()
        let result = await task.result.mapError { $0 as? MoyaError ?? .underlying($0, nil) }
        #expect(result.urlErrorCode == NSURLErrorCancelled)
        asked.open()
    }

    @Test func `cancelling the awaiting task ends a delayed stub`() async {
        let spy = SpyPlugin()
        let provider = MoyaProvider<GitHub>(
            stubClosure: MoyaProvider.delayedStub(1000), transport: FixedTransport(), plugins: [spy]
        )
        let task = Task { try await provider.request(.zen) }
        task.cancel()
        let result = await task.result.mapError { $0 as? MoyaError ?? .underlying($0, nil) }
        #expect(result.urlErrorCode == NSURLErrorCancelled)
    }

    private final class Subclass: MoyaProvider<GitHub>, @unchecked Sendable {}

    @Test(arguments: [StubBehavior.never, .immediate], [true, false])
    func `a request awaited in a cancelled task is neither sent nor stubbed`(
        behavior: StubBehavior, sharesResponses: Bool
    ) async {
        let (transport, spy) = (GatedTransport(), SpyPlugin())
        let providers = [
            MoyaProvider<GitHub>(
                stubClosure: { _ in behavior }, transport: transport, plugins: [spy],
                trackInflights: sharesResponses),
            Subclass(
                stubClosure: { _ in behavior }, transport: transport, plugins: [spy],
                trackInflights: sharesResponses),
        ]
        for provider in providers {
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await provider.request(.zen)
            }
            let result = await task.result.mapError { $0 as? MoyaError ?? .underlying($0, nil) }
            #expect(result.urlErrorCode == NSURLErrorCancelled)
        }
        #expect(transport.sendCount == 0)
        #expect(spy.events.items == ["process", "process"])
    }

    @Test func `releasing the provider cancels its requests`() async throws {
        let transport = GatedTransport()
        var provider: MoyaProvider<GitHub>? = MoyaProvider(transport: transport)
        weak let released = provider
        let result = try await withCallback { continuation in
            provider?.request(.zen, callbackQueue: .global()) { continuation.resume(returning: $0) }
            provider = nil
        }
        #expect(result.urlErrorCode == NSURLErrorCancelled)
        guard case .failure(let error) = result else { return }
        #expect(error.localizedDescription.contains("The provider was released"))
        #expect(error.description.contains("Keep a reference to the provider"))
        #expect(released == nil)
        transport.open()
    }

    @Test func `releasing the provider before the request closure answers cancels the request`()
        async throws
    {
        let pending = Recorder<MoyaProvider<GitHub>.RequestResultClosure>()
        var provider: MoyaProvider<GitHub>? = MoyaProvider(
            requestClosure: { _, done in pending.record(done) }, transport: FixedTransport())
        let results = Recorder<Int?>()
        try await withCallback { continuation in
            provider?.request(.zen, callbackQueue: .global()) {
                results.record($0.urlErrorCode)
                continuation.resume()
            }
            provider = nil
        }
        pending.items.first?(.success(URLRequest(url: url("http://late.test"))))
        #expect(results.items == [NSURLErrorCancelled])
    }

    @Test func `the completion is called once when response, cancel and provider release race`()
        async throws
    {
        for round in 0..<300 {
            let transport = GatedTransport()
            let calls = Recorder<Bool>()
            let spy = SpyPlugin()
            var provider: MoyaProvider<GitHub>? = MoyaProvider(transport: transport, plugins: [spy])
            try await withCallback { (continuation: Callback<Void>) in
                let token = provider?.request(.zen, callbackQueue: .global()) { _ in
                    if calls.add(true) == 1 { continuation.resume() }
                }
                DispatchQueue.global().async { transport.open() }
                if round % 3 != 0 { DispatchQueue.global().async { token?.cancel() } }
                if round % 3 == 2 { provider = nil }
            }
            _ = await provider?.result(of: .userProfile("after"))
            #expect(calls.count == 1)
            let sent = spy.events.items.filter { $0 == "willSend" }.count
            #expect(spy.events.items.filter { $0 == "didReceive" }.count == sent)
        }
    }

    @Test func `a response file that arrives after a cancel is removed`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file()
        let ended = Recorder<Bool>()
        struct Stubborn: Transport {
            let file: URL
            let gate: GatedTransport
            let ended: Recorder<Bool>
            func send(_ request: TransportRequest) async throws -> TransportResponse {
                // Ignores the cancel, as a transport may whose response is almost complete.
                let head = ResponseHead(statusCode: 200, url: url("http://a.test"))
                await Task.detached { _ = try? await gate.send(request) }.value
                try Data("late".utf8).write(to: file)
                ended.record(true)
                return TransportResponse(head: head, body: .file(file))
            }
        }
        let gate = GatedTransport()
        let provider = MoyaProvider<GitHub>(
            transport: Stubborn(file: file, gate: gate, ended: ended))
        try await withCallback { continuation in
            let token = provider.request(.zen, callbackQueue: .global()) { _ in
                continuation.resume()
            }
            Task {
                try await gate.waitForSends(1)
                token.cancel()
            }
        }
        gate.open()
        try await until { ended.count > 0 && !FileManager.default.fileExists(atPath: file.path) }
    }

    @Test func `a cancel while a response file is being delivered has no effect`() async throws {
        struct SlowDelivery: ResponseDelivery {
            let file: URL
            let gate: (begun: DispatchSemaphore, goesOn: DispatchSemaphore)
            func makeDestination() throws -> ResponseDestination { .file(file) }
            func deliver(
                _ response: TransportResponse, from destination: ResponseDestination,
                isAccepted: Bool
            ) throws -> TransportResponse {
                gate.begun.signal()
                gate.goesOn.wait()
                var response = response
                try Data("x".utf8).write(to: file)
                response.body = .file(file)
                return response
            }
        }
        let folder = try TemporaryFolder()
        let file = folder.file()
        let gate = (begun: DispatchSemaphore(value: 0), goesOn: DispatchSemaphore(value: 0))
        let task = RequestTask(delivery: SlowDelivery(file: file, gate: gate))
        let provider = MoyaProvider<AnyTarget>(
            transport: StubTransport { try .stub(data: Data(), for: $0) })
        let result = try await withCallback { continuation in
            let token = provider.request(AnyTarget(task: task), callbackQueue: .global()) {
                continuation.resume(returning: $0)
            }
            Thread.detachNewThread {
                gate.begun.wait()
                token.cancel()
                gate.goesOn.signal()
            }
        }
        #expect(try result.get().fileURL == file)
        #expect(FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `plugins and completion of a cancelled delayed stub run on the callback queue`()
        async throws
    {
        let key = DispatchSpecificKey<Bool>()
        let queue = DispatchQueue(label: "callbacks")
        queue.setSpecific(key: key, value: true)
        let places = Recorder<String>()
        struct Placing: PluginType {
            let record: @Sendable (String) -> Void
            func didReceive(_ result: Result<Response, MoyaError>, target: any TargetType) {
                record("didReceive")
            }
        }
        let place = { @Sendable (what: String) in
            places.record("\(what) \(DispatchQueue.getSpecific(key: key) == true)")
        }
        let provider = MoyaProvider<GitHub>(
            stubClosure: MoyaProvider.delayedStub(1000), callbackQueue: queue,
            transport: FixedTransport(), plugins: [Placing(record: place)])
        try await withCallback { continuation in
            provider.request(
                .zen, progress: { _ in place("progress") },
                completion: { _ in
                    place("completion")
                    continuation.resume()
                }
            ).cancel()
        }
        #expect(places.items == ["didReceive true", "completion true"])
    }
}
