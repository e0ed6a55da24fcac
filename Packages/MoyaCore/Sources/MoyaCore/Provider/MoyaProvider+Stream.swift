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
        try await UnvalidatedResponse(to: target, from: self) { $0 }.validated()
    }
}

/// A streamed response whose status code the target's validation may have rejected.
@_spi(MoyaInternals)
public struct UnvalidatedResponse: Sendable {
    private let response: StreamingResponse
    /// The validation error, if the target's validation rejects the status code.
    private let refusal: MoyaError?

    /// Status, header fields and final URL.
    public var head: ResponseHead { response.head }
    /// The body. If the status code was rejected, the part of it that is in the error.
    public var body: ResponseBodyStream { response.body }
    /// The status code.
    public var statusCode: Int { response.statusCode }

    /// Streams the response to `target` with a changed endpoint, including the provider's plugins,
    /// stubs and transport.
    ///
    /// - Parameter change: Changes the endpoint that the provider makes for `target`.
    /// - Throws: ``MoyaError``, but not for a rejected status code.
    public init<Target>(
        to target: Target, from provider: MoyaProvider<Target>,
        changing change: (Endpoint) -> Endpoint
    ) async throws(MoyaError) {
        // As with `await`, a cancelled task calls none of the provider's closures.
        let hooks = provider.hooks(for: target)
        if Task.isCancelled { throw hooks.failure(.cancelled, wasSent: false) }
        let endpoint = change(provider.endpoint(target))
        let outcome = await provider.makePipeline(target, at: endpoint, hooks).pipeline
            .run(to: .stream, claim: { _ in !Task.isCancelled })
        var refusal: MoyaError?
        if case .failure(let error) = outcome.result {
            refusal = hooks.failure(error, wasSent: outcome.wasSent)
        }
        guard let response = outcome.stream else { throw refusal ?? .cancelled }
        self.response = response
        self.refusal = refusal
    }

    /// Returns the error for a status code that the caller cannot use: the validation error, or an
    /// error with the first MiB of the body. Plugins do not `process` the latter, because
    /// the caller decides by it whether to try again.
    public func unusable() async -> MoyaError {
        if let refusal { return refusal }
        return await response.refusal()
    }

    /// Returns the response, or throws the validation error.
    fileprivate func validated() throws(MoyaError) -> StreamingResponse {
        if let refusal { throw refusal }
        return response
    }
}
