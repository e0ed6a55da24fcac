import Foundation
import MoyaInternals

/// The way of one request, from its endpoint to its result.
///
/// ``outcome(to:progress:claim:)`` takes the steps up to the response, and
/// ``PluginHooks/finish(_:report:)`` the last ones. `await` is these two calls. A completion is a
/// task around the first and a queue around the second. A stream differs in its destination, and in
/// that plugins receive it at the end of its body.
struct Pipeline: Sendable {
    typealias RequestClosure =
        @Sendable (Endpoint, @escaping @Sendable (Result<URLRequest, MoyaError>) -> Void) -> Void

    /// A step that a cancel may prevent.
    enum Step {
        /// The request closure has returned the request.
        case prepare
        /// Plugins have received `willSend`.
        case send
        /// An equal request in flight is awaited.
        case share
        /// The transport has ended.
        case deliver
    }

    /// Returns whether the request may take the step.
    typealias Claim = (Step) -> Bool

    let endpoint: Endpoint
    let hooks: PluginHooks
    let requestClosure: RequestClosure
    /// The provider's transport, or a stub.
    let transport: any Transport
    let coders: Coders
    /// The requests in flight whose responses equal requests share. `nil` if none is shared.
    let inflights: Inflights?

    var target: any TargetType { hooks.target }

    /// Takes the request to its response.
    ///
    /// - Parameters:
    ///   - destination: Overrides the destination of the endpoint's task.
    ///   - progress: Receives the transport's progress.
    ///   - leavesCaller: Whether this runs on the thread of a caller that does not wait. A
    ///     transport may compute or block, so it is called on another thread.
    ///   - claim: Called before each step that a cancel may prevent.
    func outcome(
        to destination: ResponseDestination? = nil,
        progress: (@Sendable (TransferProgress) -> Void)? = nil, leavesCaller: Bool = false,
        claim: Claim
    ) async -> Outcome {
        do throws(MoyaError) {
            let made = try await makeRequest()
            guard claim(.prepare) else { throw .cancelled }
            let prepared = try prepare(made, for: destination)
            let key =
                inflights == nil || destination != nil ? nil : prepared.inflightKey(of: made)
            if let shared = join(key) { return await shared.outcome(claim: claim) }
            let request = prepared.willSend(progress: progress)
            if let shared = enter(key, request, of: prepared) {
                return await shared.outcome(claim: claim)
            }
            guard claim(.send) else { return .cancelled(wasSent: true) }
            if leavesCaller { await Task.yield() }
            return await prepared.outcome(of: request, claim: claim)
        } catch {
            return Outcome(.failure(error), wasSent: false)
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
                pipeline: self, urlRequest: prepared, validation: target.validationType,
                body: upload ?? prepared.httpBody.map(RequestBody.data) ?? .none,
                destination: try destination ?? endpoint.task.delivery.makeDestination())
        } catch {
            throw MoyaError(wrapping: error)
        }
    }
}

extension MoyaProvider {
    /// - Parameter other: Replaces the target's endpoint.
    func pipeline(
        _ target: Target, at other: Endpoint? = nil, _ hooks: PluginHooks
    ) -> (Pipeline, StubBehavior) {
        let endpoint = other ?? endpoint(target)
        let behavior = stubClosure(target)
        let stub = behavior.delay.map {
            SampleTransport(endpoint: endpoint, delay: $0, coders: coders)
        }
        let pipeline = Pipeline(
            endpoint: endpoint, hooks: hooks, requestClosure: requestClosure,
            transport: stub ?? transport, coders: coders,
            inflights: trackInflights && behavior != .immediate ? inflights : nil)
        return (pipeline, behavior)
    }

    func hooks(for target: Target) -> PluginHooks { PluginHooks(plugins: plugins, target: target) }
}
