import Foundation
import MoyaInternals

extension MoyaProvider {
    /// Sends a request with a completion on `callbackQueue`. With `nil`, on the main queue, or
    /// before this method returns for an immediate stub.
    @preconcurrency
    public func requestNormal(
        _ target: Target, callbackQueue: DispatchQueue?, progress: ProgressBlock?,
        completion: @escaping Completion
    ) -> any Cancellable {
        start(
            target, endpoint(target), stubClosure(target), on: callbackQueue, progress: progress,
            completion: completion)
    }

    /// Sends a request whose endpoint and stub behavior are known.
    func start(
        _ target: Target, _ endpoint: Endpoint, _ behavior: StubBehavior,
        on callbackQueue: DispatchQueue?, progress: ProgressBlock? = nil,
        completion: @escaping Completion
    ) -> any Cancellable {
        var queue = behavior.completionQueue(callbackQueue)
        if progress != nil {
            // A serial queue, so that reports and the completion stay in order on any queue.
            queue = queue.map { DispatchQueue(label: "moya.progress", target: $0) }
        }
        let reporter = progress.map { ProgressReporter($0, for: endpoint, on: queue ?? .main) }
        let hooks = hooks(for: target)
        let pending = PendingRequest(on: queue, in: pendingRequests) { result, wasSent in
            completion(hooks.finish(result, wasSent: wasSent) { reporter?.finish($0) })
        }
        pendingRequests.withLock { $0[ObjectIdentifier(pending)] = (pending, endpoint) }
        requestClosure(endpoint) { [weak self] made in
            // `self` is `nil` after the provider was released. `start()` returns `false` if the
            // request was cancelled or `requestClosure` calls back twice.
            guard let self, pending.start() else { return }
            do throws(MoyaError) {
                let urlRequest = try made.get()
                if isSubclass, behavior != .never {
                    // The subclass may override `stubRequest`.
                    let stub = stub(target, urlRequest, on: callbackQueue, endpoint, behavior) {
                        // Enters the queue, because an override may complete on any thread.
                        pending.complete($0)
                    }
                    return pending.sent(cancel: stub.cancel)
                }
                let pipeline = pipeline(hooks, endpoint, behavior)
                try send(urlRequest, through: pipeline, for: pending, reporter)
            } catch {
                pending.complete(.failure(error))
            }
        }
        return pending
    }

    /// Returns the request as the plugins' `prepare` leaves it, without sending it.
    @_spi(MoyaInternals)
    public func preparing(_ request: URLRequest, for target: Target) -> URLRequest {
        hooks(for: target).prepare(request)
    }

    /// Sends a request, or joins an equal request in flight.
    ///
    /// The result of a shared request is dispatched to each caller's queue at once. Plugins receive
    /// it before that, on none of these queues, so a blocked queue delays only its own caller.
    func send(
        _ urlRequest: URLRequest, through pipeline: Pipeline, for pending: PendingRequest,
        _ reporter: ProgressReporter? = nil
    ) throws(MoyaError) {
        let prepared = try pipeline.makeRequest(urlRequest)
        let key =
            trackInflights && pending.queue != nil ? prepared.inflightKey(of: urlRequest) : nil
        let receiver: Completion = { pending.complete($0) }
        if let key, let member = inflights.join(key, receiver: receiver) {
            return wait(pending, for: member)
        }
        let request = prepared.transportRequest(progress: reporter?.report)
        // The response to a request with one user's credential must not be shared with other users.
        if let key, request.credential == nil,
            let member = inflights.enter(key, receiver: receiver)
        {
            let shared = PendingRequest(on: nil) { [inflights] result, _ in
                pipeline.hooks.didReceive(result)
                inflights.finish(member, result)
                // Later, because `inflightRequests` still lists the request in its completion.
                pending.queue?.async { inflights.remove(member) }
            }
            _ = shared.start()
            exchange(request, of: prepared, for: shared)
            inflights.run(member, cancel: shared.cancel)
            return wait(pending, for: member)
        }
        guard let stub = pipeline.immediateStub else {
            return exchange(request, of: prepared, for: pending)
        }
        pending.respond { prepared.result(of: request, by: stub) }
    }

    /// Sends a request in a task, on the transport's executor if possible.
    private func exchange(
        _ request: TransportRequest, of prepared: PreparedRequest, for pending: PendingRequest
    ) {
        let operation = { @Sendable in
            let result = await prepared.result(of: request, claim: pending.beginDelivery)
            pending.complete(result, wasSent: true)
        }
        var task: Task<Void, Never>?
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, *) {
            task = prepared.pipeline.taskExecutor.map {
                Task(executorPreference: $0, operation: operation)
            }
        }
        pending.sent { [task = task ?? Task(operation: operation)] in
            task.cancel()
            pending.complete(.failure(.cancelled), wasSent: true)
        }
    }

    private func wait(_ pending: PendingRequest, for member: Inflights.Membership) {
        pending.sent { [inflights] in
            inflights.leave(member) { pending.complete(.failure(.cancelled)) }
        }
    }
}
