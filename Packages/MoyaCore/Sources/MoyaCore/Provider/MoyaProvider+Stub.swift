import Foundation
import MoyaInternals
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension MoyaProvider {
    /// Lets every plugin prepare a request and tells them that it is about to be stubbed.
    /// Call it when you override ``stubRequest(_:request:callbackQueue:completion:endpoint:stubBehavior:)``.
    ///
    /// - Returns: The request as the plugins left it.
    public final func notifyPluginsOfImpendingStub(
        for request: URLRequest, target: Target
    ) -> URLRequest {
        let prepared = plugins.reduce(request) { $1.prepare($0, target: target) }
        let outgoing = OutgoingRequest(prepared)
        for plugin in plugins { plugin.willSend(outgoing, target: target) }
        return prepared
    }

    /// A function that answers with the endpoint's sample response when it is called: it validates,
    /// tells the plugins and calls `completion`. It does so once, however often it is called.
    ///
    /// - Parameter token: Where it is cancelled, the answer is `NSURLErrorCancelled` (-999).
    @preconcurrency
    public final func createStubFunction(
        _ token: CancellableToken, forTarget target: Target,
        withCompletion completion: @escaping Completion, endpoint: Endpoint,
        plugins: [any PluginType], request: URLRequest
    ) -> @Sendable () -> Void {
        stubFunction(
            isCancelled: { token.isCancelled }, target: target, completion: completion,
            endpoint: endpoint, plugins: plugins, request: request)
    }

    final func scheduleStub(
        _ target: Target, request: URLRequest, callbackQueue: DispatchQueue?,
        completion: @escaping Completion, endpoint: Endpoint, stubBehavior: StubBehavior
    ) -> CancellableToken {
        guard stubBehavior != .never else {
            completion(.failure(.underlying(RequestError.stubbingDisabled, nil)))
            return CancellableToken {}
        }
        let prepared = notifyPluginsOfImpendingStub(for: request, target: target)
        let wasCancelled = Locked(false)
        let answer = stubFunction(
            isCancelled: { wasCancelled.withLock { $0 } }, target: target, completion: completion,
            endpoint: endpoint, plugins: plugins, request: prepared)
        // A cancelled stub is answered at once, not when its delay is over.
        let token = CancellableToken {
            wasCancelled.withLock { $0 = true }
            (callbackQueue ?? .main).async(execute: answer)
        }
        switch stubBehavior {
        case .never: break
        case .immediate:
            if let callbackQueue { callbackQueue.async(execute: answer) } else { answer() }
        case .delayed(let seconds):
            let deadline = DispatchTime.now() + StubBehavior.finite(seconds)
            (callbackQueue ?? .main).asyncAfter(deadline: deadline, execute: answer)
        }
        return token
    }

    private func stubFunction(
        isCancelled: @escaping @Sendable () -> Bool, target: Target,
        completion: @escaping Completion, endpoint: Endpoint, plugins: [any PluginType],
        request: URLRequest
    ) -> @Sendable () -> Void {
        // Given away with the answer: the queue keeps this function until the delay is over.
        let pending = Locked<Completion?>(completion)
        return {
            let taken = pending.withLock { pending in
                defer { pending = nil }
                return pending
            }
            guard let completion = taken else { return }
            let result: Result<Response, MoyaError>
            do throws(MoyaError) {
                if isCancelled() { throw .cancelled }
                let flight = try Flight(
                    prepared: request, target: target, endpoint: endpoint, plugins: plugins)
                result = flight.land(flight.stubbedAnswer())
            } catch {
                result = .failure(error)
            }
            for plugin in plugins { plugin.didReceive(result, target: target) }
            completion(result)
        }
    }
}
