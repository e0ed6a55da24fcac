import Foundation
import MoyaInternals

extension MoyaProvider {
    /// Calls the plugins' `prepare` and `willSend` for a request that is about to be stubbed.
    ///
    /// - Returns: The request as the plugins' `prepare` leaves it.
    @available(
        *, deprecated, message: "Give the provider a Transport that answers in your own way."
    )
    public final func notifyPluginsOfImpendingStub(
        for request: URLRequest, target: Target
    ) -> URLRequest {
        let hooks = hooks(for: target)
        let prepared = hooks.prepare(request)
        _ = hooks.willSend(prepared)
        return prepared
    }

    /// Returns a function that validates the request, responds with the endpoint's sample response,
    /// calls the plugins' `didReceive` and then `completion`. Only its first call has an effect.
    ///
    /// - Parameter token: If cancelled, the result is `NSURLErrorCancelled` (-999).
    @available(
        *, deprecated, message: "Give the provider a Transport that answers in your own way."
    )
    @preconcurrency
    public final func createStubFunction(
        _ token: CancellableToken, forTarget target: Target,
        withCompletion completion: @escaping Completion, endpoint: Endpoint,
        plugins: [any PluginType], request: URLRequest
    ) -> @Sendable () -> Void {
        let stub = SampleTransport(endpoint: endpoint, coders: coders)
        let hooks = PluginHooks(plugins: plugins, target: target)
        let pipeline = Pipeline(endpoint: endpoint, hooks: hooks, transport: stub, coders: coders)
        // Without a queue, the completion runs on the thread that calls the function.
        let pending = hooks.pendingStub(on: nil, completion)
        return {
            guard pending.start() else { return }
            let result = Result { () throws(MoyaError) in
                if token.isCancelled { throw .cancelled }
                let prepared = try PreparedRequest(request, in: pipeline)
                let request = TransportRequest(prepared.urlRequest, target: target)
                return try prepared.result(of: request, by: stub).get()
            }
            pending.complete(result, wasSent: true)
        }
    }

    /// Responds to a request with the endpoint's sample.
    final func sendStub(
        _ target: Target, _ request: URLRequest, on queue: DispatchQueue?, _ endpoint: Endpoint,
        _ behavior: StubBehavior, completion: @escaping Completion
    ) -> CancellableToken {
        let hooks = hooks(for: target)
        let pending = hooks.pendingStub(on: behavior.completionQueue(queue), completion)
        _ = pending.start()
        do throws(MoyaError) {
            if behavior == .never { throw .underlying(RequestError.stubbingDisabled, nil) }
            try send(request, through: pipeline(hooks, endpoint, behavior), for: pending)
        } catch {
            pending.complete(.failure(error))
        }
        return CancellableToken(action: pending.cancel)
    }
}

extension PluginHooks {
    /// Leaves the plugins' `process` to the request that is stubbed.
    fileprivate func pendingStub(
        on queue: DispatchQueue?, _ done: @escaping Completion
    ) -> PendingRequest {
        PendingRequest(on: queue) { result, wasSent in
            if wasSent { didReceive(result) }
            done(result)
        }
    }
}

/// Forwards to
/// ``MoyaProvider/stubRequest(_:request:callbackQueue:completion:endpoint:stubBehavior:)``, which
/// subclasses override, without its deprecation warning.
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
