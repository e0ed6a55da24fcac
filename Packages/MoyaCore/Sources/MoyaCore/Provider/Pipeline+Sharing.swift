import Foundation
import MoyaInternals

// Requests that share the response of an equal request in flight.
extension Pipeline {
    /// Waits for the response of an equal request in flight, or sends the request.
    nonisolated(nonsending) func share(
        _ key: RequestKey<InflightContext>, in inflights: Inflights, _ prepared: PreparedRequest,
        progress: (@Sendable (TransferProgress) -> Void)?, claim: Claim
    ) async -> Outcome {
        while let shared = inflights.join(key) {
            if let outcome = await outcome(of: shared, isJoined: true) { return outcome }
        }
        let request = prepared.willSend(progress: progress)
        // The response to a request with one user's credential must not be shared with other users.
        if request.credential == nil, claim(.share),
            let shared = startShared(request, of: prepared, for: key, in: inflights),
            let outcome = await outcome(of: shared, isJoined: false)
        {
            return outcome
        }
        return claim(.send) ? await prepared.send(request, claim: claim) : .cancelled()
    }

    /// Sends the request in a task of its own, and lets equal requests join it. Returns `nil` if an
    /// equal request was sent in the meantime.
    private func startShared(
        _ request: TransportRequest, of prepared: PreparedRequest,
        for key: RequestKey<InflightContext>, in inflights: Inflights
    ) -> Inflights.Wait? {
        inflights.start(key) { [hooks] in
            // A second task, so that the exchange ends, and plugins receive its end, as soon as it
            // is cancelled, before the transport notices.
            let promise = Promise<Outcome>()
            let task = Task {
                promise.fulfill(await prepared.send(request, claim: { _ in !Task.isCancelled }))
            }
            let outcome = await promise.value {
                task.cancel()
                promise.fulfill(.cancelled())
            }
            hooks.didReceive(outcome.result)
            return outcome.result.mapError { error in
                guard prepared.pipeline.deadline?.hasPassed == true,
                    (error.underlyingError as? URLError)?.code == .timedOut
                else { return error }
                return .underlying(FailureAtDeadline(error: error), nil)
            }
        }
    }

    /// Waits for the response. The plugins of the request that was sent have received it. Returns
    /// `nil` if that request failed at its deadline, and this one, which joined it, has more time.
    private nonisolated(nonsending) func outcome(
        of shared: Inflights.Wait, isJoined: Bool
    ) async -> Outcome? {
        var result = await result(of: shared, isJoined: isJoined)
        if case .failure(.underlying(let failure as FailureAtDeadline, _)) = result {
            if isJoined, deadline?.hasPassed != true, !Task.isCancelled {
                shared.leave()
                return nil
            }
            result = .failure(failure.error)
        }
        // The request stays in `inflightRequests` until the last completion has run.
        return Outcome(result, needsDidReceive: false, leave: shared.leave)
    }

    /// Waits for the response of the request that was sent. A request that joined it waits at most
    /// until the deadline of its own call.
    private nonisolated(nonsending) func result(
        of shared: Inflights.Wait, isJoined: Bool
    ) async -> Result<Response, MoyaError> {
        guard isJoined, let deadline else {
            return await shared.value(ifCancelled: .failure(.cancelled))
        }
        do {
            return try await deadline.run(for: URL(string: endpoint.url)) {
                await shared.value(ifCancelled: .failure(.cancelled))
            }
        } catch {
            return .failure(MoyaError(wrapping: error))
        }
    }
}

/// The failure of a shared request after its deadline. Equal requests with more time are sent
/// again.
private struct FailureAtDeadline: Error {
    let error: MoyaError
}

extension PreparedRequest {
    /// Returns the key that equal requests share, or `nil` if the response cannot be shared,
    /// because it does not go to memory.
    ///
    /// - Parameter made: The request before the plugins' `prepare`.
    func inflightKey(made: URLRequest) -> RequestKey<InflightContext>? {
        guard case .memory = destination else { return nil }
        return pipeline.endpoint.inflightKey(
            of: urlRequest, made: made, accepted, pipeline.context.authorizationType,
            isStubbed: pipeline.stub != nil)
    }
}
