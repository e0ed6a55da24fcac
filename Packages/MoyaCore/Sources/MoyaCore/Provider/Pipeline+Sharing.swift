import Foundation
import MoyaInternals

// Requests that share the response of an equal request in flight.
extension Pipeline {
    /// Sends the request in a task of its own, and lets equal requests join it. Returns `nil` if
    /// the response cannot be shared, or if an equal request was sent in the meantime.
    func sendShared(
        _ key: RequestKey<InflightContext>, _ request: TransportRequest,
        of prepared: PreparedRequest
    ) -> Inflights.Wait? {
        // The response to a request with one user's credential must not be shared with other users.
        guard request.credential == nil else { return nil }
        return inflights?.start(key) { [hooks] in
            // A second task, so that the exchange ends, and plugins receive its end, as soon as it
            // is cancelled, before the transport notices.
            let promise = Promise<Outcome>()
            let task = Task {
                promise.fulfill(await prepared.send(request, claim: { _ in !Task.isCancelled }))
            }
            let outcome = await promise.value {
                task.cancel()
                promise.fulfill(.cancelled(wasSent: true))
            }
            hooks.didReceive(outcome.result)
            return outcome.result
        }
    }

    /// Waits for the response. The plugins of the request that was sent have received it.
    func outcome(of shared: Inflights.Wait) async -> Outcome {
        // The request stays in `inflightRequests` until the last completion has run.
        Outcome(
            await shared.value(ifCancelled: .failure(.cancelled)), wasSent: false,
            leave: shared.leave)
    }
}

extension PreparedRequest {
    /// Returns the key that equal requests share, or `nil` if the response is not shared: unless
    /// the provider shares responses and this one goes to memory.
    ///
    /// - Parameter made: The request before the plugins' `prepare`.
    func inflightKey(made: URLRequest) -> RequestKey<InflightContext>? {
        guard pipeline.inflights != nil, case .memory = destination else { return nil }
        return pipeline.endpoint.inflightKey(
            of: urlRequest, made: made, validation, pipeline.context.authorizationType,
            isStubbed: pipeline.stub != nil)
    }
}
