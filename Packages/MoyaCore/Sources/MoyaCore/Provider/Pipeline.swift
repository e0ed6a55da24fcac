import Foundation
import MoyaInternals

/// The steps of one request, from its endpoint to its result.
///
/// ``run(to:progress:claim:)`` takes the steps up to the response, and
/// ``PluginHooks/finish(_:report:)`` the last ones. `await` is these two calls. A completion is a
/// task around the first and a queue around the second. A stream differs in its destination, and in
/// that plugins receive it at the end of its body.
struct Pipeline: Sendable {
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
    let context: RequestContext
    /// The requests in flight whose responses equal requests share. `nil` if none is shared.
    let inflights: Inflights?

    /// Takes the request to its response.
    ///
    /// - Parameters:
    ///   - destination: Overrides the destination of the endpoint's task.
    ///   - progress: Receives the transport's progress.
    ///   - claim: Called before each ``Step``.
    func run(
        to destination: ResponseDestination? = nil,
        progress: (@Sendable (TransferProgress) -> Void)? = nil,
        claim: Claim
    ) async -> Outcome {
        do throws(MoyaError) {
            let made = try await makeRequest()
            guard claim(.prepare) else { throw .cancelled }
            let prepared = try prepare(made, for: destination)
            let key = prepared.inflightKey(made: made)
            if let key, let shared = inflights?.join(key) { return await outcome(of: shared) }
            let request = prepared.willSend(progress: progress)
            if let key, claim(.share), let shared = sendShared(key, request, of: prepared) {
                return await outcome(of: shared)
            }
            guard claim(.send) else { return .cancelled(wasSent: true) }
            return await prepared.send(request, claim: claim)
        } catch {
            return Outcome(.failure(error), wasSent: false)
        }
    }

    /// Takes the same steps for an immediate stub with a completion, without a task: Moya promises
    /// that it completes before `request` returns. Shares no response, and moves a file on the
    /// calling thread. Returns `nil` for a request that is not sent.
    ///
    /// - Parameter made: The request of the request closure.
    func run(
        _ stub: SampleTransport, _ made: Result<URLRequest, MoyaError>, claim: Claim
    ) -> Outcome? {
        guard claim(.prepare) else { return nil }
        var wasSent = false
        do {
            let prepared = try prepare(made.get(), for: nil)
            let request = prepared.willSend(progress: nil)
            wasSent = true
            guard claim(.send), claim(.deliver) else { return .cancelled(wasSent: true) }
            return prepared.deliver(try stub.response(to: request))
        } catch {
            return Outcome(.failure(MoyaError(wrapping: error)), wasSent: wasSent)
        }
    }

    /// Returns the request of the request closure. Suspends only if the closure calls back later.
    private func makeRequest() async throws(MoyaError) -> URLRequest {
        let promise = Promise<Result<URLRequest, MoyaError>>()
        requestClosure(endpoint, promise.fulfill)
        return try await promise.value(onCancel: { promise.fulfill(.failure(.cancelled)) }).get()
    }

    /// Makes the body of an upload, lets plugins `prepare` the request, and validates it.
    private func prepare(
        _ made: URLRequest, for destination: ResponseDestination?
    ) throws(MoyaError) -> PreparedRequest {
        var made = made
        do {
            var upload: RequestBody?
            if case .upload(let body) = endpoint.task.body {
                upload = try body.makeBody(for: &made)
            }
            let prepared = hooks.prepare(made)
            try RequestValidation.validate(prepared)
            if prepared.httpBodyStream != nil { throw RequestError.bodyStream }
            return PreparedRequest(
                pipeline: self, urlRequest: prepared, validation: hooks.target.validationType,
                body: upload ?? prepared.httpBody.map(RequestBody.data) ?? .none,
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
        if outcome.wasSent { didReceive(outcome.result) }
        report(outcome.result)
        return plugins.reduce(outcome.result) { $1.process($0, target: target) }
    }

    /// Takes the last steps of a stream if it failed, and returns its error. A plugin may replace
    /// the error with a response, but that response is not a stream, so it is ignored.
    func failure(of outcome: Outcome) -> MoyaError? {
        guard case .failure(let error) = outcome.result else { return nil }
        if case .failure(let last) = finish(outcome) { return last }
        return error
    }
}

extension MoyaProvider {
    /// Makes the pipeline of a request, by default of the target's endpoint, and returns it with
    /// the request's stub behavior.
    func makePipeline(
        _ target: Target, using endpoint: Endpoint? = nil, _ hooks: PluginHooks
    ) -> (pipeline: Pipeline, behavior: StubBehavior) {
        let endpoint = endpoint ?? self.endpoint(target)
        let behavior = stubClosure(target)
        let stub = behavior.delay.map { SampleTransport(endpoint: endpoint, delay: $0) }
        let pipeline = Pipeline(
            endpoint: endpoint, hooks: hooks, requestClosure: requestClosure,
            transport: stub ?? transport, stub: stub,
            context: RequestContext(target: target, coders: coders),
            inflights: trackInflights ? inflights : nil)
        return (pipeline, behavior)
    }

    /// Implements ``request(_:)``, optionally with another endpoint than the target's.
    func response(
        to target: Target, using endpoint: Endpoint? = nil
    ) async throws(MoyaError) -> Response {
        let hooks = hooks(for: target)
        // A cancelled task calls none of the provider's closures. Plugins `process` its error.
        let outcome =
            Task.isCancelled
            ? .cancelled(wasSent: false)
            : await makePipeline(target, using: endpoint, hooks).pipeline
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
