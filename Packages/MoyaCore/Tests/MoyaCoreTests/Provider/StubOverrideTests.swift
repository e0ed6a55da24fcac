import Foundation
import MoyaCore
import MoyaTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Moya's methods for subclasses that customize stubs. The protocol avoids their deprecation
/// warnings.
private protocol Stubbing {
    func stubRequest(
        _ target: GitHub, request: URLRequest, callbackQueue: DispatchQueue?,
        completion: @escaping Completion, endpoint: Endpoint, stubBehavior: StubBehavior
    ) -> CancellableToken
    func notifyPluginsOfImpendingStub(for request: URLRequest, target: GitHub) -> URLRequest
    func createStubFunction(
        _ token: CancellableToken, forTarget target: GitHub,
        withCompletion completion: @escaping Completion, endpoint: Endpoint,
        plugins: [any PluginType], request: URLRequest
    ) -> @Sendable () -> Void
}

extension MoyaProvider: Stubbing where Target == GitHub {}

@Suite(.timeLimit(.minutes(3))) struct StubOverrideTests {
    private let never = FixedTransport(error: URLError(.notConnectedToInternet))
    private let spy = SpyPlugin()
    private let results = Recorder<String?>()

    private func provider(_ behavior: StubBehavior = .immediate) -> MoyaProvider<GitHub> {
        MoyaProvider(stubClosure: { _ in behavior }, transport: never, plugins: [spy])
    }

    private var completion: Completion {
        { [results] in results.record(try? $0.get().mapString()) }
    }

    /// Customizes stubs as Moya's documentation shows.
    final class CustomStubs: MoyaProvider<GitHub>, @unchecked Sendable {
        // Safe: adds a constant of a Sendable type.
        let behaviors = Recorder<StubBehavior>()

        @available(*, deprecated)
        override func stubRequest(
            _ target: GitHub, request: URLRequest, callbackQueue: DispatchQueue?,
            completion: @escaping Completion, endpoint: Endpoint, stubBehavior: StubBehavior
        ) -> CancellableToken {
            behaviors.record(stubBehavior)
            let token = CancellableToken {}
            let prepared = notifyPluginsOfImpendingStub(for: request, target: target)
            let stub = createStubFunction(
                token, forTarget: target, withCompletion: completion, endpoint: endpoint,
                plugins: plugins, request: prepared)
            stub()
            stub()
            return token
        }
    }

    @Test func `an override of stubRequest does not make the endpoint a second time`() async throws
    {
        let endpoints = Recorder<GitHub>()
        let provider = CustomStubs(
            endpointClosure: {
                endpoints.record($0)
                return MoyaProvider.defaultEndpointMapping(for: $0)
            },
            stubClosure: MoyaProvider.immediatelyStub, transport: never)
        _ = try await provider.request(.zen)
        #expect(endpoints.items.count == 1)
    }

    @Test(arguments: [StubBehavior.immediate, .delayed(seconds: 1000)])
    func
        `an override of stubRequest answers each stubbed request, and a stub run twice completes once`(
            behavior: StubBehavior
        ) async throws
    {
        let provider = CustomStubs(
            stubClosure: { _ in behavior }, transport: never, plugins: [spy])
        let hooks = ["prepare", "willSend", "didReceive", "process"]
        #expect(try await provider.request(.zen).data == GitHub.zen.sampleData)
        #expect(spy.events.items == hooks)
        #expect(try await provider.result(of: .zen).get().data == GitHub.zen.sampleData)
        #expect(spy.events.items == hooks + hooks)
        #expect(provider.behaviors.items == [behavior, behavior])
    }

    @Test func `an override of stubRequest is not called for a request that is sent`() async throws
    {
        let provider = CustomStubs(transport: FixedTransport())
        #expect(try await provider.request(.zen).data == Data("answer".utf8))
        #expect(provider.behaviors.items.isEmpty)
    }

    @Test(arguments: [StubBehavior.immediate, .delayed(seconds: 0.001)])
    func `stubRequest completes with the sample response and calls every hook except process`(
        behavior: StubBehavior
    ) async throws {
        let endpoint = provider().endpoint(.zen)
        let request = try endpoint.urlRequest()
        let stubbing: any Stubbing = provider()
        let result = try await withCallback { continuation in
            _ = stubbing.stubRequest(
                .zen, request: request, callbackQueue: .global(),
                completion: { continuation.resume(returning: $0) }, endpoint: endpoint,
                stubBehavior: behavior)
        }
        #expect(try result.get().data == GitHub.zen.sampleData)
        #expect(spy.events.items == ["prepare", "willSend", "didReceive"])
    }

    @Test func `cancelling the token of stubRequest completes with NSURLErrorCancelled`()
        async throws
    {
        let endpoint = provider().endpoint(.zen)
        let request = try endpoint.urlRequest()
        let stubbing: any Stubbing = provider()
        let result = try await withCallback { continuation in
            stubbing.stubRequest(
                .zen, request: request, callbackQueue: .global(),
                completion: { continuation.resume(returning: $0) }, endpoint: endpoint,
                stubBehavior: .delayed(seconds: 1000)
            ).cancel()
        }
        #expect(result.urlErrorCode == NSURLErrorCancelled)
        #expect(spy.events.items == ["prepare", "willSend", "didReceive"])
    }

    @Test(arguments: [StubBehavior.never, .immediate, .delayed(seconds: 1000)])
    func `stubRequest with StubBehavior.never or an invalid method fails on its callback queue`(
        behavior: StubBehavior
    ) async throws {
        let key = DispatchSpecificKey<Bool>()
        let queue = DispatchQueue(label: "callbacks")
        queue.setSpecific(key: key, value: true)
        let endpoint = Endpoint.test()
        var request = try endpoint.urlRequest()
        if behavior != .never { request.httpMethod = "NOT ONE" }
        let stubbing: any Stubbing = provider()
        let (result, isOnQueue) = try await withCallback { continuation in
            _ = stubbing.stubRequest(
                .zen, request: request, callbackQueue: queue,
                completion: { result in
                    let isOnQueue = DispatchQueue.getSpecific(key: key) == true
                    continuation.resume(returning: (result, isOnQueue))
                }, endpoint: endpoint, stubBehavior: behavior)
        }
        #expect(isOnQueue)
        guard case .failure(let error) = result else {
            Issue.record("The request was stubbed.")
            return
        }
        if behavior == .never {
            #expect(
                error.errorDescription
                    == "stubRequest was called with StubBehavior.never. Pass .immediate or .delayed."
            )
        }
    }

    @Test func `notifyPluginsOfImpendingStub returns the request that the plugins prepared`() throws
    {
        let stubbing: any Stubbing = provider()
        let request = try Endpoint.test().urlRequest()
        let prepared = stubbing.notifyPluginsOfImpendingStub(for: request, target: .zen)
        #expect(prepared.value(forHTTPHeaderField: "X-Prepared") == "yes")
        #expect(spy.events.items == ["prepare", "willSend"])
    }

    @Test
    func `a function of createStubFunction completes with NSURLErrorCancelled after a cancel`()
        throws
    {
        let token = CancellableToken {}
        let codes = Recorder<Int?>()
        let endpoint = Endpoint.test()
        let stubbing: any Stubbing = provider()
        let stub = stubbing.createStubFunction(
            token, forTarget: .zen, withCompletion: { codes.record($0.urlErrorCode) },
            endpoint: endpoint, plugins: [spy], request: try endpoint.urlRequest())
        token.cancel()
        stub()
        #expect(codes.items == [NSURLErrorCancelled])
        #expect(spy.events.items == ["didReceive"])
    }
}
