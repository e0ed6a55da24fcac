import Foundation
import MoyaCore
import MoyaTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct StubbingTests {
    private let never = FixedTransport(error: URLError(.notConnectedToInternet))

    private func provider(
        _ sample: EndpointSampleResponse? = nil, plugins: [any PluginType] = []
    ) -> MoyaProvider<GitHub> {
        MoyaProvider<GitHub>(
            endpointClosure: { target in
                guard let sample else { return MoyaProvider.defaultEndpointMapping(for: target) }
                return .test(sample: sample)
            },
            stubClosure: MoyaProvider.immediatelyStub, transport: never, plugins: plugins)
    }

    @Test(arguments: [GitHub.zen, .userProfile("ashfurrow")])
    func `an immediate stub returns the sample data of the target`(target: GitHub) async throws {
        let response = try await provider().request(target)
        #expect(response.data == target.sampleData)
        #expect(response.statusCode == 200)
        #expect(response.request?.url == URL(target: target))
    }

    @Test func `an immediate stub without a callback queue completes before request returns`() {
        let results = Recorder<Int>()
        provider().request(.zen) { result in results.record((try? result.get().statusCode) ?? 0) }
        #expect(results.items == [200])
    }

    private struct FileDelivery: ResponseDelivery {
        func makeDestination() throws -> ResponseDestination {
            .file(URL(fileURLWithPath: "/nonexistent/file"))
        }
        func deliver(
            _ response: TransportResponse, from destination: ResponseDestination, isAccepted: Bool
        ) throws -> TransportResponse { response }
    }

    @Test func `an immediate stub of a download completes before request returns`() {
        let results = Recorder<Int>()
        let provider = MoyaProvider<AnyTarget>(
            stubClosure: MoyaProvider.immediatelyStub, transport: never)
        let download = AnyTarget(task: RequestTask(delivery: FileDelivery()))
        provider.request(download) { results.record((try? $0.get().statusCode) ?? 0) }
        #expect(results.items == [200])
    }

    @Test func `an immediate stub with a callback queue completes on that queue`() async throws {
        let queue = DispatchQueue(label: "test.queue")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        try await withCallback { continuation in
            provider().request(.zen, callbackQueue: queue) { _ in
                #expect(DispatchQueue.getSpecific(key: key) == true)
                continuation.resume()
            }
        }
    }

    @Test
    func `immediate stubs on a callback queue complete in order, before later work of the queue`() {
        let queue = DispatchQueue(label: "test.queue")
        let results = Recorder<Int>()
        let provider = provider()
        for number in 0..<100 {
            provider.request(.zen, callbackQueue: queue) { _ in results.record(number) }
        }
        queue.sync { #expect(results.items == Array(0..<100)) }
    }

    @Test func `an immediate stub that is cancelled before its queue runs fails as cancelled`() {
        let queue = DispatchQueue(label: "test.queue")
        let codes = Recorder<Int?>()
        let spy = SpyPlugin()
        let provider = provider(plugins: [spy])
        queue.suspend()
        let token = provider.request(.zen, callbackQueue: queue) { codes.record($0.urlErrorCode) }
        token.cancel()
        queue.resume()
        queue.sync {}
        #expect(codes.items == [NSURLErrorCancelled])
        #expect(spy.events.items == ["prepare", "willSend", "didReceive", "process"])
    }

    @Test func `plugins of an awaited stub are called in the task that awaits it`() async throws {
        enum Caller { @TaskLocal static var name = "none" }
        struct Names: PluginType {
            let seen: Recorder<String>
            func didReceive(_ result: Result<Response, MoyaError>, target: any TargetType) {
                seen.record(Caller.name)
            }
        }
        let names = Names(seen: Recorder())
        let provider = provider(plugins: [names])
        _ = try await Caller.$name.withValue("test") { try await provider.request(.zen) }
        #expect(names.seen.items == ["test"])
    }

    @Test func `a delayed stub completes after its delay`() async throws {
        let provider = MoyaProvider<GitHub>(
            stubClosure: MoyaProvider.delayedStub(0.01), transport: never)
        let start = DispatchTime.now().uptimeNanoseconds
        let result = try await withCallback { continuation in
            provider.request(.zen, callbackQueue: .global()) { continuation.resume(returning: $0) }
        }
        // A provider takes no clock, so only real time shows the delay.
        #expect(DispatchTime.now().uptimeNanoseconds - start >= 10_000_000)
        #expect(try result.get().data == GitHub.zen.sampleData)
    }

    @Test(arguments: [TimeInterval.nan, -TimeInterval.infinity, -1])
    func `a delayed stub with a negative or non-finite delay completes`(delay: TimeInterval)
        async throws
    {
        let provider = MoyaProvider<GitHub>(
            stubClosure: MoyaProvider.delayedStub(delay), transport: never)
        #expect(try await provider.request(.zen).statusCode == 200)
    }

    @Test func `a cancelled delayed stub completes once with NSURLErrorCancelled`() async throws {
        let spy = SpyPlugin()
        let provider = MoyaProvider<GitHub>(
            stubClosure: MoyaProvider.delayedStub(1000), transport: never, plugins: [spy])
        let results = Recorder<Int?>()
        let token = try await withCallback {
            (continuation: Callback<any Cancellable>) in
            let box = Recorder<any Cancellable>()
            let token = provider.request(.zen, callbackQueue: .global()) { result in
                results.record(result.urlErrorCode)
                if let token = box.items.first { continuation.resume(returning: token) }
            }
            box.record(token)
            token.cancel()
        }
        token.cancel()
        #expect(token.isCancelled)
        #expect(results.items == [NSURLErrorCancelled])
        #expect(spy.events.items == ["prepare", "willSend", "didReceive", "process"])
    }

    @Test func `a stub may return a response with its own status and body`() async throws {
        let response = try #require(
            HTTPURLResponse(
                url: url("http://x.test"), statusCode: 302, httpVersion: "HTTP/1.1",
                headerFields: ["A": "b"]))
        let result = try await provider(.response(response, Data("x".utf8))).request(.zen)
        #expect(result.statusCode == 302)
        #expect(result.response === response)
        #expect(result.data == Data("x".utf8))
    }

    @Test func `a stub may return a network error`() async {
        let error = NSError(
            domain: "com.moya", code: 77,
            userInfo: [NSLocalizedDescriptionKey: "Houston, we have a problem"])
        let result = await provider(.networkError(error)).result(of: .zen)
        guard case .failure(.underlying(let cause, nil)) = result else {
            Issue.record("Expected .underlying, got \(result).")
            return
        }
        #expect((cause as NSError).domain == "com.moya")
        #expect((cause as NSError).code == 77)
        #expect(cause.localizedDescription == "Houston, we have a problem")
    }

    @Test func `an NSError of a stub in NSURLErrorDomain is returned as a URLError`() async {
        let error = NSError(domain: NSURLErrorDomain, code: NSURLErrorTimedOut)
        let result = await provider(.networkError(error)).result(of: .zen)
        let thrown = #expect(throws: MoyaError.self) { try result.get() }
        #expect((thrown?.underlyingError as? URLError)?.code == .timedOut)
    }

    @Test(arguments: [(200, true), (302, true), (400, false), (500, false)])
    func `the status code of a stub is validated`(status: Int, passes: Bool) async {
        let result = await provider(.networkResponse(status, Data("body".utf8))).result(of: .zen)
        if passes {
            #expect((try? result.get().statusCode) == status)
        } else {
            guard
                case .failure(.underlying(MoyaError.statusCode(let inner), let response?)) = result
            else {
                Issue.record("Expected .statusCode within .underlying, got \(result).")
                return
            }
            #expect(inner === response)
            #expect(response.data == Data("body".utf8))
        }
    }

    @Test func `the stub closure decides for each target`() async throws {
        let provider = MoyaProvider<GitHub>(
            stubClosure: { $0 == .zen ? .immediate : .never }, transport: FixedTransport())
        #expect(try await provider.request(.zen).data == GitHub.zen.sampleData)
        #expect(try await provider.request(.userProfile("x")).data == Data("answer".utf8))
    }

    @Test func `all plugin hooks run for a stubbed request`() async throws {
        let spy = SpyPlugin()
        let response = try await provider(plugins: [spy]).request(.zen)
        #expect(spy.events.items == ["prepare", "willSend", "didReceive", "process"])
        #expect(response.request?.value(forHTTPHeaderField: "X-Prepared") == "yes")
    }

    @Test func `a stubbed request with an invalid URL fails before willSend`() async {
        let spy = SpyPlugin()
        let provider = MoyaProvider<GitHub>(
            endpointClosure: { _ in .test(url: "no URL") },
            stubClosure: MoyaProvider.immediatelyStub,
            transport: never, plugins: [spy])
        guard case .failure(.requestMapping("no URL")) = await provider.result(of: .zen) else {
            Issue.record("Expected .requestMapping.")
            return
        }
        #expect(spy.events.items == ["process"])
    }
}
