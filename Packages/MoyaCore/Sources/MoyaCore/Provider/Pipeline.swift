import Foundation
import MoyaInternals

/// The steps of one request, from its endpoint to its result. A class, to be passed on cheaply.
///
/// ``run(to:progress:claim:)`` takes the steps up to the response, and
/// ``PluginHooks/finish(_:report:)`` the last ones. `await` is these two calls. A completion is a
/// task around the first and a queue around the second. A stream differs in its destination, and in
/// that plugins receive it at the end of its body.
final class Pipeline: Sendable {
    typealias RequestClosure =
        @Sendable (Endpoint, @escaping @Sendable (Result<URLRequest, MoyaError>) -> Void) -> Void

    /// A step that a cancel may prevent.
    enum Step {
        /// Let plugins `prepare` the request that the request closure has returned.
        case prepare
        /// Pass the request to the transport. Plugins have received `willSend`.
        case send
        /// Send the request for all equal requests. Plugins have received `willSend`.
        case share
        /// Deliver the response or the error of the transport.
        case deliver
    }

    /// Enters a step. Returns `false` if the request was cancelled, or has no such step now.
    typealias Claim = (Step) -> Bool

    let endpoint: Endpoint
    let hooks: PluginHooks
    let requestClosure: RequestClosure
    /// The provider's transport, or ``stub``.
    let transport: any Transport
    let stub: SampleTransport?
    let stubBehavior: StubBehavior
    let context: RequestContext
    /// The earlier of the deadlines of the calling task and of the target.
    let deadline: RequestDeadline?
    /// The requests in flight whose responses equal requests share. `nil` if none is shared.
    let inflights: Inflights?

    /// - Parameter endpoint: `nil` for the endpoint of `target`.
    init<Target>(
        _ target: Target, endpoint given: Endpoint?, hooks: PluginHooks,
        in provider: MoyaProvider<Target>
    ) {
        let endpoint = given ?? provider.endpoint(target)
        self.endpoint = endpoint
        self.hooks = hooks
        requestClosure = provider.requestClosure
        stubBehavior = provider.stubClosure(target)
        stub = stubBehavior.delay.map { SampleTransport(endpoint: endpoint, delay: $0) }
        transport = stub ?? provider.transport
        context = RequestContext(
            target: hooks.target, coders: provider.coders(for: target))
        deadline = RequestDeadline.ofCall(target.totalTimeout)
        inflights = provider.trackInflights ? provider.inflights : nil
    }

    /// Takes the request to its response.
    ///
    /// - Parameters:
    ///   - destination: Overrides the destination of the endpoint's task.
    ///   - progress: Receives the transport's progress.
    ///   - claim: Called before each ``Step``.
    nonisolated(nonsending) func run(
        to destination: ResponseDestination? = nil,
        progress: (@Sendable (TransferProgress) -> Void)? = nil,
        claim: Claim
    ) async -> Outcome {
        do throws(MoyaError) {
            let made = try await makeRequest()
            guard claim(.prepare) else { throw .cancelled }
            let prepared = try prepare(made, for: destination)
            if let inflights, let key = prepared.inflightKey(made: made) {
                return await share(key, in: inflights, prepared, progress: progress, claim: claim)
            }
            let request = prepared.willSend(progress: progress)
            return claim(.send) ? await prepared.send(request, claim: claim) : .cancelled()
        } catch {
            return Outcome(.failure(error), needsDidReceive: false)
        }
    }

    /// Takes the same steps for an immediate stub with a completion, without a task: Moya promises
    /// that it completes before `request` returns. Shares no response, and moves a file on the
    /// calling thread. Returns `nil` if the request was cancelled before, or has been started.
    ///
    /// - Parameter made: The request of the request closure.
    func run(
        _ stub: SampleTransport, _ made: Result<URLRequest, MoyaError>, claim: Claim
    ) -> Outcome? {
        guard claim(.prepare) else { return nil }
        var needsDidReceive = false
        do {
            let prepared = try prepare(made.get(), for: nil)
            let request = prepared.willSend(progress: nil)
            needsDidReceive = true
            guard claim(.send), claim(.deliver) else { return .cancelled() }
            if let deadline, deadline.hasPassed {
                throw deadline.error(url: request.urlRequest.url, wasSent: false)
            }
            return prepared.deliver(try stub.response(to: request))
        } catch {
            return Outcome(.failure(MoyaError(wrapping: error)), needsDidReceive: needsDidReceive)
        }
    }

    /// Returns the request of the request closure. Suspends only if the closure calls back later.
    private nonisolated(nonsending) func makeRequest() async throws(MoyaError) -> URLRequest {
        let promise = Promise<Result<URLRequest, MoyaError>>()
        requestClosure(endpoint) { promise.fulfill($0) }
        let timer = deadline == nil || promise.isFulfilled ? nil : makeTimer(for: promise)
        defer { timer?.cancel() }
        return try await promise.value(onCancel: { promise.fulfill(.failure(.cancelled)) }).get()
    }

    /// Returns a task that fails the request closure's request at the deadline. `nil` if there is
    /// none.
    private func makeTimer(
        for promise: Promise<Result<URLRequest, MoyaError>>
    ) -> Task<Void, any Error>? {
        deadline.map { deadline in
            Task { [url = endpoint.url] in
                try await deadline.clock.timeout(after: deadline.remaining)
                let error = deadline.error(url: URL(string: url))
                promise.fulfill(.failure(.underlying(error, nil)))
            }
        }
    }

    /// Makes the body of an upload, lets plugins `prepare` the request, checks it, and makes the
    /// destination of its response.
    private func prepare(
        _ made: URLRequest, for destination: ResponseDestination?
    ) throws(MoyaError) -> PreparedRequest {
        var made = made
        do {
            var upload: RequestBody?
            if case .upload(let body) = endpoint.task.body {
                upload = try body.makeBody(for: &made)
            }
            let changed = hooks.prepare(made)
            try RequestValidation.validate(changed)
            if changed.httpBodyStream != nil { throw RequestError.bodyStream }
            return PreparedRequest(
                pipeline: self, urlRequest: changed, accepted: hooks.target.validationType,
                body: upload ?? changed.httpBody.map(RequestBody.data) ?? .none,
                destination: try destination ?? endpoint.task.delivery.makeDestination())
        } catch {
            throw MoyaError(wrapping: error)
        }
    }
}

// The last steps of a request.
extension PluginHooks {
    /// Takes the last steps of a request, and returns the result for the caller: the plugins'
    /// `didReceive`, the last progress report, the plugins' `process`.
    ///
    /// - Parameter report: Makes the last progress report.
    func finish(
        _ outcome: Outcome, report: (Result<Response, MoyaError>) -> Void = { _ in }
    ) -> Result<Response, MoyaError> {
        if outcome.needsDidReceive { didReceive(outcome.result) }
        report(outcome.result)
        return process(outcome.result)
    }

    /// Takes the last steps of a stream if it failed, and returns its error. A plugin may replace
    /// the error with a response, but that response is not a stream, so it is ignored.
    func finishStream(_ outcome: Outcome) -> MoyaError? {
        guard case .failure(let error) = outcome.result else { return nil }
        if case .failure(let last) = finish(outcome) { return last }
        return error
    }
}

extension MoyaProvider {
    /// Implements ``request(_:)``, optionally with another endpoint than the target's.
    nonisolated(nonsending) func response(
        to target: Target, using endpoint: Endpoint? = nil
    ) async throws(MoyaError) -> Response {
        let hooks = hooks(for: target)
        // A cancelled task calls none of the provider's closures. Plugins `process` its error.
        let outcome =
            Task.isCancelled
            ? .cancelled(needsDidReceive: false)
            : await Pipeline(target, endpoint: endpoint, hooks: hooks, in: self)
                .run(claim: { _ in !Task.isCancelled })
        defer { outcome.leave?() }
        return try hooks.finish(outcome).get()
    }

    func hooks(for target: Target) -> PluginHooks { PluginHooks(plugins: plugins, target: target) }

    /// Returns the request as the plugins' `prepare` leaves it, without sending it.
    @_spi(MoyaInternals)
    public func preparing(_ request: URLRequest, for target: Target) -> URLRequest {
        hooks(for: target).prepare(request)
    }
}
