import Foundation

extension TransportRequest {
    /// Sends this request with `exchange`, and again if the server refuses its form:
    ///
    /// - After a 401 with a supported challenge, if the request has a ``credential``: with an
    ///   `Authorization` field for Basic (RFC 7617) or Digest (RFC 7616), the strongest that the
    ///   server offers. The first request contains credentials only if `cache` knows that the
    ///   server requires them for this path. A request with an `Authorization` field gets no other.
    /// - After a 417, if the request has an `Expect` field: without that field (RFC 9110, section
    ///   10.1.1). If the field is the caller's, only a body that can be sent again is sent again.
    ///
    /// Digest supports MD5, SHA-256 and SHA-512/256, and the qualities `auth` and, for a body in
    /// memory or none, `auth-int`.
    ///
    /// For authors of transports whose HTTP library does not do this. Call it inside
    /// ``followingRedirects(_:)``, which removes the credential when a redirect leads to another
    /// origin. Digest signs the request target: send path and query as they are in the URL.
    ///
    /// - Parameter cache: Requirements of the transport's servers. One instance for each transport.
    /// - Throws: The errors of `exchange`.
    @inlinable
    public nonisolated(nonsending) func answeringChallenges(
        _ cache: AuthenticationCache,
        _ exchange: nonisolated(nonsending) (TransportRequest) async throws -> TransportResponse
    ) async throws -> TransportResponse {
        if credential != nil { return try await authenticating(cache, exchange) }
        let response = try await exchange(self)
        guard response.head.statusCode == 417 else { return response }
        return try await resendingWithoutExpect(after: response, exchange)
    }

    /// Implements ``answeringChallenges(_:_:)`` for a request with a credential.
    @usableFromInline
    nonisolated(nonsending) func authenticating(
        _ cache: AuthenticationCache,
        _ exchange: nonisolated(nonsending) (TransportRequest) async throws -> TransportResponse
    ) async throws -> TransportResponse {
        guard var authenticator = Authenticator(self, cache) else {
            let response = try await exchange(self)
            return try await resendingWithoutExpect(after: response, exchange)
        }
        let fieldIsOurs = urlRequest.value(forHTTPHeaderField: "Expect") == nil
        do {
            var request = authenticator.first()
            var earlier: TransportMetrics?
            while true {
                let first = try await exchange(request)
                var response = try await request.resendingWithoutExpect(
                    after: first, fieldIsOurs: fieldIsOurs, exchange)
                if let earlier { response.metrics.add(earlier) }
                guard let answer = authenticator.answer(response) else { return response }
                try await response.discardBeforeNext()
                (request, earlier) = (answer, response.metrics)
            }
        } catch {
            authenticator.noteFailure()
            throw error
        }
    }

    /// Sends this request again without its `Expect` field if `refusal` is a 417. Returns any other
    /// response as it is.
    ///
    /// - Parameter fieldIsOurs: Whether the field is not the caller's. The body has not been read
    /// then, unless the server responded late.
    @usableFromInline
    nonisolated(nonsending) func resendingWithoutExpect(
        after refusal: TransportResponse, fieldIsOurs: Bool = false,
        _ exchange: nonisolated(nonsending) (TransportRequest) async throws -> TransportResponse
    ) async throws -> TransportResponse {
        guard refusal.head.statusCode == 417, fieldIsOurs || body.isReplayable,
            urlRequest.value(forHTTPHeaderField: "Expect") != nil
        else { return refusal }
        try await refusal.discardBeforeNext()
        var request = self
        request.urlRequest.setValue(nil, forHTTPHeaderField: "Expect")
        var response = try await exchange(request)
        response.metrics.add(refusal.metrics)
        return response
    }
}
