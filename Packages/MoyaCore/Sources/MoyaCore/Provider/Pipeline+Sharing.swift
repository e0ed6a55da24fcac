import Foundation
import MoyaInternals

// Requests that share the response of an equal request in flight.
extension Pipeline {
    /// Returns the key that equal requests share, or `nil` if the response is not shared.
    func inflightKey(
        of prepared: PreparedRequest, made: URLRequest
    ) -> RequestKey<InflightContext>? {
        guard inflights != nil, case .memory = prepared.destination else { return nil }
        return endpoint.inflightKey(
            of: prepared.urlRequest, made: made, prepared.validation, context.authorizationType,
            isStubbed: transport is SampleTransport)
    }

    /// Sends the request in a task of its own, and lets equal requests join it. Returns `nil` if
    /// the response cannot be shared, or if an equal request was entered in the meantime.
    func enter(
        _ key: RequestKey<InflightContext>?, _ request: TransportRequest,
        of prepared: PreparedRequest
    ) -> Inflights.Wait? {
        // The response to a request with one user's credential must not be shared with other users.
        guard let key, request.credential == nil else { return nil }
        return inflights?.start(key) { [hooks] in
            let promise = Promise<Outcome>()
            let task = Task {
                promise.fulfill(await prepared.send(request, claim: { _ in !Task.isCancelled }))
            }
            // A cancel does not wait for the transport to notice it.
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
