import Foundation
@_spi(MoyaInternals) import MoyaCore

extension TransportRequest {
    fileprivate func authorized(
        with ticket: TokenState.Ticket
    ) throws(TokenRefreshError) -> TransportRequest {
        guard let value = ticket.authorization else { throw TokenRefreshError(.unusable) }
        var request = self
        request.urlRequest.setValue(value, forHTTPHeaderField: "Authorization")
        return request
    }
}

extension Transport {
    /// Wraps this transport in a layer that sends the token of `tokens` as `Authorization`, and
    /// repeats a request once with a fresh token after status 401.
    ///
    /// The token replaces an existing `Authorization` field. If no token can be obtained, requests
    /// fail with a ``TokenRefreshError``.
    ///
    /// Each attempt uses the current token. An outer layer that retries may therefore send a
    /// request again with another user's token, and an outer layer that shares responses cannot
    /// distinguish users. If users change while requests are in flight, put this layer around such
    /// layers, or give each user a transport. `addingIdempotencyKeys` belongs around this layer in
    /// any case, so that the repeated request has the same key.
    ///
    /// - Parameter isAuthorized: Returns whether a request gets the token. By default, requests get
    ///   it if their context has an `authorizationType`, which it takes from a target that conforms
    ///   to `AccessTokenAuthorizable`. The scheme is ``AccessToken/scheme``, regardless of the
    ///   authorization type. Pass `{ _ in true }` to authorize all requests.
    public func authorizing(
        with tokens: TokenRefresher,
        where isAuthorized: @escaping @Sendable (TransportRequest) -> Bool = {
            $0.context.authorizationType != nil
        }
    ) -> some Transport {
        Layer(around: self) { request in
            guard isAuthorized(request), !tokens.isRefreshing else {
                return try await send(request)
            }
            let ticket = try await tokens.ticketToSend(for: request, by: request.deadline)
            let response = try await send(request.authorized(with: ticket))
            // The target of a redirect to another origin never got the token, and must not get a
            // fresh token either.
            guard response.head.statusCode == 401,
                request.urlRequest.url?.origin == response.head.url.origin
            else { return response }
            guard request.body.isReplayable else {
                tokens.refuse(ticket)
                return response
            }
            // The repeated request creates the same file, which must not exist by then.
            response.discard()
            let fresh = try await tokens.ticket(afterRefusalOf: ticket, for: request)
            var again = try request.authorized(with: fresh)
            request.observer?(.retrying(request, .success(response), delay: 0))
            again.context.resendCount += 1
            return try await send(again)
        }
    }
}
