import Foundation
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension MoyaProvider {
    /// Makes a request on exactly this queue. ``request(_:callbackQueue:progress:completion:)``
    /// calls it with the provider's queue where the caller named none.
    @preconcurrency
    public func requestNormal(
        _ target: Target, callbackQueue: DispatchQueue?, progress: ProgressBlock?,
        completion: @escaping Completion
    ) -> any Cancellable {
        let endpoint = endpoint(target)
        let behavior = stubClosure(target)
        let completion = processing(for: target, completion)
        // On a concurrent queue, too, reports come one after the other and the completion after them.
        let queue =
            progress == nil
            ? callbackQueue
            : callbackQueue.map { DispatchQueue(label: "moya.progress", target: $0) }
        let reporter = progress.map { ProgressReporter($0, for: endpoint, on: queue ?? .main) }
        let exchange = Exchange(
            queue: queue, answersInPlace: behavior == .immediate && callbackQueue == nil,
            progress: reporter, completion: completion)

        // A file is one caller's alone: a download is never shared.
        let isShared =
            trackInflights && endpoint.task.delivery is MemoryDelivery
            && endpoint.task.redirectPolicy.isDefault
        let key = isShared ? InflightKey(endpoint) : nil
        if let key,
            let token = joinInflight(
                exchange, for: endpoint, key, queue: queue, progress: reporter,
                completion: completion)
        {
            return token
        }
        keep(exchange, trackedAs: key)

        let start = { @Sendable [weak self] (request: Result<URLRequest, MoyaError>) in
            // Cancelled, the provider released, or a request closure that answers twice.
            guard let self, exchange.begin() else { return }
            self.start(
                exchange, request, target: target, endpoint: endpoint, behavior: behavior,
                callbackQueue: callbackQueue, reporter: reporter)
        }
        requestClosure(endpoint, start)
        return exchange.firstToken()
    }

    private func processing(
        for target: Target, _ completion: @escaping Completion
    ) -> Completion {
        guard !plugins.isEmpty else { return completion }
        let plugins = plugins
        return { result in
            completion(plugins.reduce(result) { $1.process($0, target: target) })
        }
    }

    private func start(
        _ exchange: Exchange, _ request: Result<URLRequest, MoyaError>, target: Target,
        endpoint: Endpoint, behavior: StubBehavior, callbackQueue: DispatchQueue?,
        reporter: ProgressReporter?
    ) {
        do throws(MoyaError) {
            var request = try request.get()
            if behavior != .never {
                _ = try endpoint.makeUpload(for: &request)
                let stub = stubRequest(
                    target, request: request, callbackQueue: callbackQueue,
                    completion: { exchange.finish($0) }, endpoint: endpoint,
                    stubBehavior: behavior)
                exchange.run(cancel: stub.cancel)
                return
            }
            let flight = try Flight(request, target: target, endpoint: endpoint, plugins: plugins)
            send(flight, for: exchange, reporter: reporter)
        } catch {
            exchange.finish(.failure(error))
        }
    }

    private func send(
        _ flight: Flight, for exchange: Exchange, reporter: ProgressReporter?
    ) {
        let outgoing = flight.depart(progress: reporter?.report)
        let transport = transport
        let task = Task {
            let outcome: Result<TransportResponse, any Error>
            do {
                outcome = .success(try await transport.send(outgoing))
            } catch {
                outcome = .failure(error)
            }
            let isFirst = exchange.finish(flight.land(outcome), before: flight.notify)
            // Cancelled at the last moment: the caller has been told, so the file is nobody's.
            if !isFirst { try? outcome.get().discard() }
        }
        exchange.run {
            task.cancel()
            exchange.finish(.failure(.cancelled), before: flight.notify)
        }
    }
}
