import Foundation

extension MoyaProvider {
    /// Sends a request and returns its response once the header fields have arrived. The body is
    /// read as it arrives, with back-pressure to the server.
    ///
    /// ```swift
    /// for try await chunk in try await provider.stream(.logs) { print(chunk.count) }
    /// ```
    ///
    /// Plugins receive the response in `didReceive` when the last byte has arrived, with an empty
    /// body, or the error when the body fails. `process` is called only for a request that fails
    /// before it returns a stream. The target's download destination is ignored, and the request
    /// never shares the response of an equal request in flight. A subclass's override of `request`
    /// is not called.
    ///
    /// - Throws: ``MoyaError``. For a status code that the target's validation rejects,
    ///   ``MoyaError/underlying(_:_:)`` with the response and the part of its body that arrives
    ///   within five seconds, at most 1 MiB.
    public func stream(_ target: Target) async throws -> StreamingResponse {
        let response = try await unvalidatedStream(target) { $0 }
        if let rejection = response.rejection { throw rejection }
        return response
    }

    /// Like ``stream(_:)``, but with a changed endpoint, and without an error for a status code
    /// that the target's validation rejects: see ``StreamingResponse/refusal()``.
    ///
    /// - Parameter change: Changes the endpoint that the provider makes for `target`.
    @_spi(MoyaInternals)
    public func unvalidatedStream(
        _ target: Target, changing change: (Endpoint) -> Endpoint
    ) async throws(MoyaError) -> StreamingResponse {
        // As with `await`, a cancelled task calls none of the provider's closures.
        let hooks = hooks(for: target)
        let outcome =
            Task.isCancelled
            ? .cancelled(needsDidReceive: false)
            : await Pipeline(target, endpoint: change(endpoint(target)), hooks: hooks, in: self)
                .run(to: .stream, claim: { _ in !Task.isCancelled })
        let failure = hooks.finishStream(outcome)
        guard let body = outcome.body, let start = outcome.response, let head = start.head else {
            throw failure ?? .cancelled
        }
        return StreamingResponse(
            head: head, request: start.request, body: body, coders: start.coders,
            rejection: failure)
    }
}
