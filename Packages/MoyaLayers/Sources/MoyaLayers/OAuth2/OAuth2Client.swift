import Foundation
import MoyaCore

/// Requests access tokens from an authorization server (RFC 6749).
///
/// ```swift
/// let oauth = OAuth2Client(
///     tokenEndpoint: endpoint, clientID: "app", clientSecret: secret, transport: CurlTransport())
/// let tokens = TokenRefresher { _ in try await oauth.clientCredentials(scope: ["read"]) }
/// ```
public struct OAuth2Client: Sendable {
    /// How the client authenticates (RFC 6749, section 2.3.1). A client without a secret sends its
    /// ID in the body.
    public enum Authentication: Sendable {
        /// In the `Authorization` field, which every server supports.
        case basic
        /// In the body, for servers that require it.
        case body
    }

    private let tokenEndpoint: URL
    private let clientID: String
    private let clientSecret: String?
    private let authentication: Authentication
    private let transport: any Transport
    private let clock: any MoyaClock

    /// - Parameters:
    ///   - tokenEndpoint: URL of the token endpoint: https, or a loopback address.
    ///   - clientID: Identifier of the client, registered with the server.
    ///   - clientSecret: Secret of the client. `nil` for a public client, such as an app.
    ///   - authentication: How a client with a secret authenticates.
    ///   - transport: Sends the token requests. It must not authorize them with these tokens.
    public init(
        tokenEndpoint: URL, clientID: String, clientSecret: String? = nil,
        authentication: Authentication = .basic, transport: any Transport,
        clock: any MoyaClock = .system
    ) {
        self.tokenEndpoint = tokenEndpoint
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.authentication = authentication
        self.transport = transport
        self.clock = clock
    }

    /// Requests a token for the client itself (RFC 6749, section 4.4).
    ///
    /// - Throws: ``OAuth2Error``, and errors of the transport.
    public func clientCredentials(scope: [String] = []) async throws -> AccessToken {
        var fresh = try await token([("grant_type", "client_credentials")], scope: scope)
        // A server may omit the scope if it equals the requested scope (section 5.1).
        if fresh.scope == nil, !scope.isEmpty { fresh.scope = scope }
        return fresh
    }

    /// Requests a token that replaces `last` (RFC 6749, section 6). Keeps the refresh token of
    /// `last` if the server sends no new one.
    ///
    /// - Parameter scope: A subset of the scope of `last`. Empty requests the same scope.
    /// - Throws: ``OAuth2Error``, and errors of the transport.
    public func refresh(_ last: AccessToken?, scope: [String] = []) async throws -> AccessToken {
        guard let last, let refreshToken = last.refreshToken, !refreshToken.isEmpty else {
            throw OAuth2Error(.noRefreshToken)
        }
        var fresh = try await token(
            [("grant_type", "refresh_token"), ("refresh_token", refreshToken)], scope: scope)
        fresh.refreshToken = fresh.refreshToken ?? refreshToken
        fresh.scope = fresh.scope ?? (scope.isEmpty ? last.scope : scope)
        return fresh
    }

    /// Exchanges an authorization code for a token (RFC 6749, section 4.1.3).
    ///
    /// - Parameter codeVerifier: ``PKCE/verifier`` of the ``PKCE`` in the authorization URL.
    /// - Throws: ``OAuth2Error``, and errors of the transport.
    public func exchange(
        code: String, redirectURI: String, codeVerifier: String? = nil
    ) async throws -> AccessToken {
        var fields = [
            (name: "grant_type", value: "authorization_code"), ("code", code),
            ("redirect_uri", redirectURI),
        ]
        if let codeVerifier { fields.append(("code_verifier", codeVerifier)) }
        return try await token(fields, scope: [])
    }

    private func token(
        _ fields: [(name: String, value: String)], scope: [String]
    ) async throws -> AccessToken {
        guard tokenEndpoint.scheme?.lowercased() == "https" || tokenEndpoint.isOnThisMachine else {
            throw OAuth2Error(.insecureEndpoint)
        }
        let asked = clock.now
        let response = try await transport.send(request(fields, scope: scope))
        guard case .data(let data) = response.body else { throw OAuth2Error(.invalidResponse) }
        return try OAuth2Answer.token(in: data, response.head, asked: asked)
    }

    private func request(
        _ fields: [(name: String, value: String)], scope: [String]
    ) -> TransportRequest {
        var fields = fields
        if !scope.isEmpty { fields.append(("scope", scope.joined(separator: " "))) }
        var request = URLRequest(url: tokenEndpoint)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        request.setValue(
            "application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        if let clientSecret, authentication == .basic {
            // ID and secret are form-encoded before Base64 (RFC 6749, section 2.3.1).
            let pair = "\(URLForm.escape(clientID)):\(URLForm.escape(clientSecret))"
            request.setValue(
                "Basic \(Data(pair.utf8).base64EncodedString())",
                forHTTPHeaderField: "Authorization")
        } else {
            fields.append(("client_id", clientID))
            if let clientSecret { fields.append(("client_secret", clientSecret)) }
        }
        // Redirects are refused: they would send the secrets to another server.
        return TransportRequest(
            request, body: .data(Data(URLForm.encode(fields).utf8)),
            destination: .memory(limit: 1 << 20), redirectPolicy: .refuse)
    }
}

extension OAuth2Client: CustomStringConvertible, CustomReflectable {
    /// The client ID and the token endpoint, without the secret.
    public var description: String {
        "OAuth2Client(\(clientID), \(Redaction.default.redact(url: tokenEndpoint)))"
    }

    /// Children without secrets, for `dump` and debuggers.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "tokenEndpoint": Redaction.default.redact(url: tokenEndpoint),
                "clientID": clientID,
            ])
    }
}

extension OAuth2Client {
    /// Returns the URL at which the user signs in. The server then redirects the browser to
    /// `redirectURI` with a code (RFC 6749, section 4.1.1).
    ///
    /// - Parameter state: Random value that the server returns with the code. Compare the two
    ///   values to reject forged redirects.
    /// - Returns: `nil` if `endpoint` cannot take a query.
    public func authorizationURL(
        at endpoint: URL, redirectURI: String, scope: [String] = [], state: String, pkce: PKCE
    ) -> URL? {
        authorizationURL(
            at: endpoint, redirectURI: redirectURI, scope: scope, state: state,
            challenge: pkce.challenge)
    }

    func authorizationURL(
        at endpoint: URL, redirectURI: String, scope: [String], state: String, challenge: String
    ) -> URL? {
        var fields = [
            (name: "response_type", value: "code"), ("client_id", clientID),
            ("redirect_uri", redirectURI), ("state", state), ("code_challenge", challenge),
            ("code_challenge_method", "S256"),
        ]
        if !scope.isEmpty { fields.append(("scope", scope.joined(separator: " "))) }
        var components = URLComponents(url: endpoint, resolvingAgainstBaseURL: true)
        let own = components?.percentEncodedQuery.map { $0.isEmpty ? "" : "\($0)&" } ?? ""
        components?.percentEncodedQuery = own + URLForm.encode(fields)
        components?.fragment = nil
        return components?.url
    }
}

extension URL {
    fileprivate var isOnThisMachine: Bool {
        ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host?.lowercased() ?? "")
    }
}
