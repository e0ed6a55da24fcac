import Foundation
import MoyaInternals

extension MoyaProvider {
    /// Makes a request on exactly this queue. ``request(_:callbackQueue:progress:completion:)``
    /// calls it with the provider's queue where the caller named none.
    @preconcurrency
    public func requestNormal(
        _ target: Target, callbackQueue: DispatchQueue?, progress: ProgressBlock?,
        completion: @escaping Completion
    ) -> any Cancellable {
        start(
            target, endpoint(target), stubClosure(target), on: callbackQueue, progress: progress,
            completion: completion)
    }

    /// Makes a request whose endpoint and stub behavior are known.
    func start(
        _ target: Target, _ endpoint: Endpoint, _ behavior: StubBehavior,
        on callbackQueue: DispatchQueue?, progress: ProgressBlock? = nil,
        completion: @escaping Completion
    ) -> any Cancellable {
        // On a concurrent queue, too, reports come one after the other and the completion after them.
        let queue =
            progress == nil
            ? callbackQueue ?? .main
            : DispatchQueue(label: "moya.progress", target: callbackQueue ?? .main)
        let reporter = progress.map { ProgressReporter($0, for: endpoint, on: queue) }
        let pending = PendingRequest(
            on: behavior == .immediate && callbackQueue == nil ? nil : queue, in: pendingRequests,
            completion: finishing(target, endpoint, reporter, completion))
        pendingRequests.withLock { $0[ObjectIdentifier(pending)] = (pending, endpoint) }
        requestClosure(endpoint) { [weak self] request in
            // Cancelled, the provider released, or a request closure that answers twice.
            guard let self, pending.start() else { return }
            do throws(MoyaError) {
                let request = try request.get()
                guard behavior == .never else {
                    let stub = stub(target, request, on: callbackQueue, endpoint, behavior) {
                        pending.complete($0)
                    }
                    return pending.sent(cancel: stub.cancel)
                }
                let pipeline = pipeline(target, endpoint)
                try send(request, through: pipeline, for: pending, on: queue, reporter)
            } catch {
                pending.complete(.failure(error))
            }
        }
        return pending
    }

    /// The completion with the last step before it.
    private func finishing(
        _ target: Target, _ endpoint: Endpoint, _ reporter: ProgressReporter?,
        _ completion: @escaping Completion
    ) -> Completion {
        if plugins.isEmpty, reporter == nil { return completion }
        let pipeline = pipeline(target, endpoint)
        return { result in
            reporter?.finish(result)
            completion(pipeline.finish(result))
        }
    }

    func pipeline(_ target: Target, _ endpoint: Endpoint) -> Pipeline {
        Pipeline(
            target: target, endpoint: endpoint, plugins: plugins, transport: transport,
            coders: coders)
    }

    /// The request as the plugins leave it. It is not sent.
    @_spi(MoyaInternals)
    public func preparing(_ request: URLRequest, for target: Target) -> URLRequest {
        pipeline(target, endpoint(target)).adapt(request)
    }

    /// Sends a request, or has it wait for an equal one in flight.
    ///
    /// The result of a shared exchange goes to each caller's own queue at once. Plugins hear it before that, on no
    /// caller's queue: a queue that is blocked holds up its own caller alone.
    ///
    /// - Parameter queue: Where the completion runs.
    func send(
        _ request: URLRequest, through pipeline: Pipeline, for pending: PendingRequest,
        on queue: DispatchQueue, _ reporter: ProgressReporter? = nil
    ) throws(MoyaError) {
        let prepared = try pipeline.makeRequest(request)
        let key = trackInflights ? prepared.inflightKey(of: request) : nil
        let receiver: Completion = { pending.complete($0) }
        if let key, let member = inflights.join(key, receiver: receiver) {
            return wait(pending, for: member)
        }
        let request = prepared.announce(progress: reporter?.report)
        // A response to one user's credential is not for others.
        if let key, request.credential == nil,
            let member = inflights.enter(key, receiver: receiver)
        {
            let task = startTask { [inflights] in
                let result = await prepared.receive(await prepared.send(request))
                prepared.pipeline.report(result)
                inflights.finish(member, result)
                // After the completion, which has just been put in the queue.
                queue.async { inflights.remove(member) }
            }
            inflights.run(member, cancel: task.cancel)
            return wait(pending, for: member)
        }
        let task = startTask {
            let outcome = await prepared.send(request)
            // After a cancel the caller has been told, and the response is of no use.
            guard pending.beginDelivery() else {
                if case .success(let response) = outcome { response.discard() }
                return
            }
            pending.complete(await prepared.receive(outcome), of: prepared)
        }
        pending.sent {
            task.cancel()
            pending.complete(.failure(.cancelled), of: prepared)
        }
    }

    /// Starts a task that sends a request: on the transport's executor, where no code of the user's runs in the task.
    private func startTask(
        _ operation: @escaping @Sendable () async -> Void
    ) -> Task<Void, Never> {
        if plugins.isEmpty, #available(macOS 15, iOS 18, tvOS 18, watchOS 11, *),
            let executor = transport.taskExecutor
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
