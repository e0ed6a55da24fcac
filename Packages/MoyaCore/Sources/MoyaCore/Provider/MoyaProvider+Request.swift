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

        keep(exchange, for: endpoint)
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
            let request = try request.get()
            if behavior != .never {
                var stubbed = request
                _ = try endpoint.makeUpload(for: &stubbed)
                let key = key(for: endpoint, stubbed, bare: request, target, isStubbed: true)
                share(exchange, for: endpoint, key, isDeparting: false) { [stubbed] in
                    let stub = self.stubRequest(
                        target, request: stubbed, callbackQueue: callbackQueue,
                        completion: { exchange.finish($0) }, endpoint: endpoint,
                        stubBehavior: behavior)
                    exchange.run(cancel: stub.cancel)
                }
                return
            }
            let flight = try Flight(request, target: target, endpoint: endpoint, plugins: plugins)
            let key = key(
                for: endpoint, flight.request, bare: request, target, isStubbed: false)
            share(exchange, for: endpoint, key, isDeparting: true) {
                self.send(flight, for: exchange, key, reporter: reporter)
            }
        } catch {
            exchange.finish(.failure(error))
        }
    }

    /// What equal requests are found by. `nil` where the answer is one caller's alone.
    private func key(
        for endpoint: Endpoint, _ request: URLRequest, bare: URLRequest, _ target: Target,
        isStubbed: Bool
    ) -> InflightKey? {
        guard shares(endpoint) else { return nil }
        return InflightKey(
            request, bare: bare, endpoint: endpoint, validation: target.validationType,
            isStubbed: isStubbed)
    }

    /// Has `exchange` wait for an equal one in flight, or else sent.
    private func share(
        _ exchange: Exchange, for endpoint: Endpoint, _ key: InflightKey?, isDeparting: Bool,
        send: @escaping @Sendable () -> Void
    ) {
        guard let key else { return send() }
        let place = inflights.withLock {
            $0.enter(exchange, for: endpoint, key, isDeparting: isDeparting) {
                guard exchange.resume() else { return }
                self.share(exchange, for: endpoint, key, isDeparting: isDeparting, send: send)
            }
        }
        switch place {
        case .first:
            keep(exchange, for: endpoint, trackedAs: key)
            send()
        case .joined(let token): exchange.run(cancel: token.cancel)
        case .undecided: exchange.finishIfCancelled()
        }
    }

    private func send(
        _ flight: Flight, for exchange: Exchange, _ key: InflightKey?,
        reporter: ProgressReporter?
    ) {
        let outgoing = flight.depart(progress: reporter?.report)
        let waiting = inflights.withLock { inflights in
            key.map { inflights.depart(exchange, $0, isShared: outgoing.credential == nil) } ?? []
        }
        defer { for retry in waiting { retry() } }
        let transport = transport
        let task = Task {
            let outcome: Result<TransportResponse, any Error>
            do {
                outcome = .success(try await transport.send(outgoing))
            } catch {
                outcome = .failure(error)
            }
            if case .success(let answer) = outcome, flight.isForFile(answer),
                !exchange.beginLanding()
            {
                return answer.discard()
            }
            let result = await flight.landWaiting(outcome)
            let isFirst = exchange.finish(result, before: flight.notify)
            // Cancelled at the last moment: the caller has been told, so the file is nobody's.
            if !isFirst { try? outcome.get().discard() }
        }
        exchange.run {
            task.cancel()
            exchange.finish(.failure(.cancelled), before: flight.notify)
        }
    }
}
