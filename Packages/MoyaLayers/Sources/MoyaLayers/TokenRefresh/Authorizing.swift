import Foundation
@_spi(MoyaInternals) import MoyaCore

extension TransportRequest {
    fileprivate func authorized(
        with token: AccessToken
    ) throws(TokenRefreshError) -> TransportRequest {
        guard let value = token.authorization else { throw TokenRefreshError(.unusable) }
        var request = self
        request.urlRequest.setValue(value, forHTTPHeaderField: "Authorization")
        return request
    }
}

extension TransportResponse {
    /// Whether the server that was asked has answered, not one it redirected to: that one never had
    /// the token, and shall not get a fresh one.
    fileprivate func isFromOrigin(of request: TransportRequest) -> Bool {
        request.urlRequest.url.map { $0.hasSameOrigin(as: head.url) } ?? false
    }
}

extension Transport {
    /// This transport, sending the token of `tokens` as `Authorization`, in place of one that is there, and a fresh one
    /// after the server refuses it: with requests of targets that conform to ``AccessTokenAuthorizable`` and have an
    /// `authorizationType`, and with no others, unless `where` says so. `where: { _ in true }` takes all. Where no token can
    /// be had, requests fail with a ``TokenRefreshError``.
    ///
    /// The token of the moment is sent: a layer outside that sends a request again does so with another user's where
    /// they have changed in between, and one that lets requests share an answer does not see whose they are. Where
    /// users change while requests are under way, put this layer around those, or give each user a transport.
    ///
    /// - Parameter isAuthorized: Which requests get the token. By default those of targets that are
    ///   ``AccessTokenAuthorizable`` and have a type of authorization. The scheme is that of the token, whatever the
    ///   type's name: see ``AccessToken/scheme``.
    public func authorizing(
        with tokens: TokenRefresher,
        where isAuthorized: @escaping @Sendable (TransportRequest) -> Bool = { request in
            let target = request.target as? any AccessTokenAuthorizable
            return target?.authorizationType != nil
        }
    ) -> some Transport {
        Layer { request in
            guard isAuthorized(request), !tokens.isRefreshing else {
                return try await send(request)
            }
            let ticket = try await tokens.ticketToSend()
            let response = try await send(request.authorized(with: ticket.token))
            guard response.head.statusCode == 401, response.isFromOrigin(of: request) else {
                return response
            }
            guard request.body.isReplayable else {
                tokens.refuse(ticket)
                return response
            }
            // The next attempt makes the same file, which must not exist then.
            response.discard()
            let fresh = try await tokens.ticket(afterRefusalOf: ticket)
            return try await send(request.authorized(with: fresh.token))
        }
    }
}
