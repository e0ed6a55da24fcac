import Foundation

extension TransportRequest {
    /// Sends this request with `exchange`, and once more if the server refuses its form:
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
    public func answeringChallenges(
        _ cache: AuthenticationCache,
        _ exchange: (TransportRequest) async throws -> TransportResponse
    ) async throws -> TransportResponse {
        guard var authenticator = Authenticator(self, cache) else {
            return try await expecting(exchange)
        }
        let isAsking = urlRequest.value(forHTTPHeaderField: "Expect") == nil
        do {
            var response = try await authenticator.first().expecting(isAsking: isAsking, exchange)
            while let answer = authenticator.answer(response) {
                try await response.makeWay()
                let earlier = response.metrics
                response = try await answer.expecting(isAsking: isAsking, exchange)
                response.metrics.add(earlier)
            }
            return response
        } catch {
            authenticator.noteFailure()
            throw error
        }
    }

    /// Sends this request with `exchange`, and again without its `Expect` field after a 417.
    ///
    /// - Parameter isAsking: Whether the field is not the caller's. The body has not been read
    /// then, unless the server responded late.
    private func expecting(
        isAsking: Bool = false,
        _ exchange: (TransportRequest) async throws -> TransportResponse
    ) async throws -> TransportResponse {
        let refusal = try await exchange(self)
        guard refusal.head.statusCode == 417, isAsking || body.isReplayable,
            urlRequest.value(forHTTPHeaderField: "Expect") != nil
        else { return refusal }
        try await refusal.makeWay()
        var request = self
        request.urlRequest.setValue(nil, forHTTPHeaderField: "Expect")
        var response = try await exchange(request)
        response.metrics.add(refusal.metrics)
        return response
    }
}
