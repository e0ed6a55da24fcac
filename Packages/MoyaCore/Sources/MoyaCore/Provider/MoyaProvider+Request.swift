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
        // A serial queue, so that progress reports and the completion stay in order even if the
        // target queue is concurrent.
        let queue =
            progress == nil
            ? callbackQueue ?? .main
            : DispatchQueue(label: "moya.progress", target: callbackQueue ?? .main)
        let reporter = progress.map { ProgressReporter($0, for: endpoint, on: queue) }
        let pending = PendingRequest(
            on: behavior == .immediate && callbackQueue == nil ? nil : queue, in: pendingRequests,
            completion: processing(target, reporter, completion))
        pendingRequests.withLock { $0[ObjectIdentifier(pending)] = (pending, endpoint) }
        requestClosure(endpoint) { [weak self] request in
            // `self` is `nil` after the provider was released. `start()` returns `false` if the
            // request was cancelled or `requestClosure` calls back twice.
            guard let self, pending.start() else { return }
            do throws(MoyaError) {
                let request = try request.get()
                if isSubclass, behavior != .never {
                    // The subclass may override `stubRequest`.
                    let stub = stub(target, request, on: callbackQueue, endpoint, behavior) {
                        pending.complete($0)
                    }
                    return pending.sent(cancel: stub.cancel)
                }
                let pipeline = pipeline(target, endpoint, behavior)
                try send(request, through: pipeline, for: pending, reporter)
            } catch {
                pending.complete(.failure(error))
            }
        }
        return pending
    }

    /// Returns a completion that makes the last progress report, lets plugins `process` the result
    /// and calls `completion`.
    private func processing(
        _ target: Target, _ reporter: ProgressReporter?, _ completion: @escaping Completion
    ) -> Completion {
        if plugins.isEmpty, reporter == nil { return completion }
        let hooks = hooks(for: target)
        return { result in
            reporter?.finish(result)
            completion(hooks.process(result))
        }
    }

    func hooks(for target: Target) -> PluginHooks { PluginHooks(plugins: plugins, target: target) }

    /// - Parameter behavior: Decides whether a stub responds instead of the provider's transport.
    func pipeline(
        _ target: Target, _ endpoint: Endpoint, _ behavior: StubBehavior
    ) -> Pipeline {
        let stub = behavior.delay.map {
            SampleTransport(endpoint: endpoint, delay: $0, coders: coders)
        }
        return Pipeline(
            endpoint: endpoint, hooks: hooks(for: target), transport: stub ?? transport,
            coders: coders)
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
    ///
    /// As in Moya, an immediate stub without a queue completes before this method returns.
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
            let task = startTask(through: pipeline) { [inflights] in
                let result = await prepared.result(of: request)
                prepared.pipeline.hooks.didReceive(result)
                inflights.finish(member, result)
                // Later, because `inflightRequests` still lists the request in its completion.
                pending.queue?.async { inflights.remove(member) }
            }
            inflights.run(member, cancel: task.cancel)
            return wait(pending, for: member)
        }
        if let stub = pipeline.immediateStub {
            return pending.respond(to: prepared) { prepared.result(of: request, by: stub) }
        }
        let task = startTask(through: pipeline) {
            let result = await prepared.result(of: request, claim: pending.beginDelivery)
            pending.complete(result, of: prepared)
        }
        pending.sent {
            task.cancel()
            pending.complete(.failure(.cancelled), of: prepared)
        }
    }

    /// Starts a task that sends a request, on the transport's executor if possible.
    private func startTask(
        through pipeline: Pipeline, _ operation: @escaping @Sendable () async -> Void
    ) -> Task<Void, Never> {
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, *),
            let executor = pipeline.taskExecutor
        {
            return Task(executorPreference: executor, operation: operation)
        }
        return Task(operation: operation)
    }

    private func wait(_ pending: PendingRequest, for member: Inflights.Membership) {
        pending.sent { [inflights] in
            inflights.leave(member)
            pending.complete(.failure(.cancelled))
        }
    }
}
