import Foundation
import MoyaInternals

/// A waiter's share in a request in flight.
struct SharedRequest: Sendable {
    fileprivate let inflights: Inflights
    fileprivate let member: Inflights.Membership
    fileprivate let promise: Promise<Result<Response, MoyaError>>

    /// Waits for the response. The plugins of the request that was sent have received it.
    func outcome(claim: Pipeline.Claim) async -> Outcome {
        _ = claim(.share)
        let result = await promise.value {
            inflights.leave(member) { promise.fulfill(.failure(.cancelled)) }
        }
        var outcome = Outcome(result, wasSent: false)
        // The request has ended, so there is nothing to cancel. It stays in `inflightRequests`
        // until the last completion has run.
        outcome.leave = { _ = inflights.leave(member) }
        return outcome
    }
}

extension Pipeline {
    /// Joins an equal request in flight, if there is one.
    func join(_ key: RequestKey<InflightContext>?) -> SharedRequest? {
        share(key) { $0.join($1, receiver: $2) }
    }

    /// Sends the request in a task of its own, and lets equal requests join it. Returns `nil` if
    /// the response cannot be shared, or if an equal request was entered in the meantime.
    func enter(
        _ key: RequestKey<InflightContext>?, _ request: TransportRequest,
        of prepared: PreparedRequest
    ) -> SharedRequest? {
        // The response to a request with one user's credential must not be shared with other users.
        guard request.credential == nil,
            let shared = share(key, by: { $0.enter($1, receiver: $2) })
        else { return nil }
        let (inflights, member) = (shared.inflights, shared.member)
        let exchange = PendingRequest(on: nil) { [hooks] outcome in
            hooks.didReceive(outcome.result)
            inflights.finish(member, outcome.result)
        }
        _ = exchange.claim(.prepare) && exchange.claim(.send)
        exchange.run(onCallersThread: false) {
            await prepared.send(request, claim: exchange.claim)
        }
        inflights.run(member, cancel: exchange.cancel)
        return shared
    }

    private func share(
        _ key: RequestKey<InflightContext>?,
        by entering: (Inflights, RequestKey<InflightContext>, @escaping Inflights.Receiver) ->
            Inflights.Membership?
    ) -> SharedRequest? {
        guard let key, let inflights else { return nil }
        let promise = Promise<Result<Response, MoyaError>>()
        return entering(inflights, key, promise.fulfill).map {
            SharedRequest(inflights: inflights, member: $0, promise: promise)
        }
    }
}
