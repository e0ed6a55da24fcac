import Foundation

extension MoyaProvider {
    /// Sends a request with a completion on `callbackQueue`. With `nil`, on the main queue, or
    /// before this method returns for an immediate stub.
    @preconcurrency
    public func requestNormal(
        _ target: Target, callbackQueue: DispatchQueue?, progress: ProgressBlock?,
        completion: @escaping Completion
    ) -> any Cancellable {
        let hooks = hooks(for: target)
        let (pipeline, behavior) = pipeline(target, hooks)
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
        // An immediate stub completes before this method returns, or enters its queue.
        let leavesCaller = behavior != .immediate
        pending.run(onCallersThread: true) {
            await pipeline.outcome(
                progress: reporter?.report, leavesCaller: leavesCaller, claim: pending.claim)
        }
        return pending
    }

    /// Returns the request as the plugins' `prepare` leaves it, without sending it.
    @_spi(MoyaInternals)
    public func preparing(_ request: URLRequest, for target: Target) -> URLRequest {
        hooks(for: target).prepare(request)
    }
}
