import Foundation

extension MoyaProvider {
    /// Sends a request with a completion on `callbackQueue`. With `nil`, on the main queue, or
    /// before this method returns for an immediate stub. The name is Moya's.
    @preconcurrency
    public func requestNormal(
        _ target: Target, callbackQueue: DispatchQueue?, progress: ProgressBlock?,
        completion: @escaping Completion
    ) -> any Cancellable {
        let hooks = hooks(for: target)
        let (pipeline, behavior) = makePipeline(target, hooks)
        var queue = behavior.completionQueue(callbackQueue)
        if progress != nil {
            // A serial queue, so that reports and the completion stay in order on any queue.
            queue = queue.map { DispatchQueue(label: "moya.progress", target: $0) }
        }
        let reporter = progress.map {
            ProgressReporter($0, for: pipeline.endpoint, on: queue ?? .main)
        }
        let pending = PendingRequest(on: queue, in: pendingRequests) { outcome in
            completion(hooks.finish(outcome) { reporter?.finish($0) })
            outcome.leave?()
        }
        pendingRequests.withLock { $0[ObjectIdentifier(pending)] = (pending, pipeline.endpoint) }
        guard behavior != .immediate else {
            requestClosure(pipeline.endpoint) { made in
                pipeline.runStub(made, claim: pending.claim).map(pending.complete)
            }
            return pending
        }
        pending.run(onCallersThread: true) {
            await pipeline.run(
                progress: reporter?.report, leavesCaller: true, claim: pending.claim)
        }
        return pending
    }

    /// Returns the request as the plugins' `prepare` leaves it, without sending it.
    @_spi(MoyaInternals)
    public func preparing(_ request: URLRequest, for target: Target) -> URLRequest {
        hooks(for: target).prepare(request)
    }
}
