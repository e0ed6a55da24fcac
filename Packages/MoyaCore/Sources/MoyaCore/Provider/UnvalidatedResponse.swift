import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A response to read, whatever the target's validation says of its status.
@_spi(MoyaInternals)
public struct UnvalidatedResponse: Sendable {
    private let response: StreamingResponse
    /// The error of the target's validation, where it does not accept the status.
    private let refusal: MoyaError?

    public var head: ResponseHead { response.head }
    public var body: ResponseBodyStream { response.body }
    public var statusCode: Int { response.statusCode }

    fileprivate init(_ response: StreamingResponse, refusal: MoyaError? = nil) {
        self.response = response
        self.refusal = refusal
    }

    /// The error for a status that is of no use.
    public func unusable() async -> MoyaError {
        if let refusal { return refusal }
        return await response.refusal()
    }
}

extension MoyaProvider {
    /// Streams the request of `target` with a changed endpoint, through the whole provider: its plugins, stubs and transport.
    ///
    /// - Parameters:
    ///   - transport: Carries the request in place of the provider's own.
    ///   - change: Changes the endpoint that the provider makes for `target`.
    /// - Throws: ``MoyaError``, but not for the status of a response.
    @_spi(MoyaInternals)
    public func streamUnvalidated(
        _ target: Target, over transport: (any Transport)? = nil,
        changing change: @escaping @Sendable (Endpoint) -> Endpoint
    ) async throws(MoyaError) -> UnvalidatedResponse {
        let changed = MoyaProvider(
            endpointClosure: { change(self.endpoint($0)) }, requestClosure: requestClosure,
            stubClosure: stubClosure, transport: transport ?? self.transport, plugins: plugins)
        do throws(MoyaError) {
            return UnvalidatedResponse(try await changed.stream(target))
        } catch {
            guard case .underlying(MoyaError.statusCode(let refused), _) = error,
                let head = refused.head
            else { throw error }
            let response = StreamingResponse(
                head: head, request: refused.request, body: ResponseBodyStream(refused.data))
            return UnvalidatedResponse(response, refusal: error)
        }
    }
}
