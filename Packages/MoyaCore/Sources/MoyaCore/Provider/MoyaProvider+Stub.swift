import Foundation
import MoyaInternals

extension MoyaProvider {
    /// Lets every plugin prepare a request and tells them that it is about to be stubbed.
    ///
    /// - Returns: The request as the plugins left it.
    @available(
        *, deprecated, message: "Give the provider a Transport that answers in your own way."
    )
    public final func notifyPluginsOfImpendingStub(
        for request: URLRequest, target: Target
    ) -> URLRequest {
        let pipeline = pipeline(target, endpoint(target))
        let prepared = pipeline.adapt(request)
        _ = pipeline.announce(prepared)
        return prepared
    }

    /// A function that answers with the endpoint's sample response when it is called: it validates,
    /// tells the plugins and calls `completion`. It does so once, however often it is called.
    ///
    /// - Parameter token: Where it is cancelled, the answer is `NSURLErrorCancelled` (-999).
    @available(
        *, deprecated, message: "Give the provider a Transport that answers in your own way."
    )
    @preconcurrency
    public final func createStubFunction(
        _ token: CancellableToken, forTarget target: Target,
        withCompletion completion: @escaping Completion, endpoint: Endpoint,
        plugins: [any PluginType], request: URLRequest
    ) -> @Sendable () -> Void {
        let stub = SampleTransport(endpoint: endpoint, delay: 0)
        let pipeline = Pipeline(
            target: target, endpoint: endpoint, plugins: plugins, transport: stub,
            coders: coders)
        // Without a queue, it completes where it is called.
        let pending = PendingRequest(on: nil, completion: completion)
        return {
            guard pending.start() else { return }
            let result: Result<Response, MoyaError>
            do throws(MoyaError) {
                if token.isCancelled { throw .cancelled }
                let prepared = try PreparedRequest(request, in: pipeline)
                result = prepared.receiveInPlace(prepared.sample(of: stub))
            } catch {
                result = .failure(error)
            }
            pipeline.report(result)
            pending.complete(result)
        }
    }

    /// Sends a request over the transport of stubs.
    final func sendStub(
        _ target: Target, _ request: URLRequest, on queue: DispatchQueue?, _ endpoint: Endpoint,
        _ behavior: StubBehavior, completion: @escaping Completion
    ) -> CancellableToken {
        let stub = SampleTransport(endpoint: endpoint, delay: behavior.delay ?? 0)
        if behavior == .immediate, queue == nil {
            // As in Moya: before this returns.
            do throws(MoyaError) {
                completion(try pipeline(target, endpoint).run(request, over: stub))
            } catch {
                completion(.failure(error))
            }
            return CancellableToken {}
        }
        let queue = queue ?? .main
        let pending = PendingRequest(on: queue, completion: completion)
        _ = pending.start()
        do throws(MoyaError) {
            if behavior == .never { throw .underlying(RequestError.stubbingDisabled, nil) }
            let pipeline = Pipeline(
                target: target, endpoint: endpoint, plugins: plugins, transport: stub,
                coders: coders)
            try send(request, through: pipeline, for: pending, on: queue)
        } catch {
            pending.complete(.failure(error))
        }
        return CancellableToken(action: pending.cancel)
    }
}

/// Calls ``MoyaProvider/stubRequest(_:request:callbackQueue:completion:endpoint:stubBehavior:)``, which subclasses
/// override, without the warning of its deprecation.
protocol StubRequesting {
    associatedtype Target: TargetType

    func stubRequest(
        _ target: Target, request: URLRequest, callbackQueue: DispatchQueue?,
        completion: @escaping Completion, endpoint: Endpoint, stubBehavior: StubBehavior
    ) -> CancellableToken
}

extension MoyaProvider: StubRequesting {}

extension StubRequesting {
    func stub(
        _ target: Target, _ request: URLRequest, on queue: DispatchQueue?, _ endpoint: Endpoint,
        _ behavior: StubBehavior, completion: @escaping Completion
    ) -> CancellableToken {
        stubRequest(
            target, request: request, callbackQueue: queue, completion: completion,
            endpoint: endpoint, stubBehavior: behavior)
    }
}
