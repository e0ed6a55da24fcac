import Foundation
import MoyaCore

/// Requests access tokens from an authorization server (RFC 6749).
///
/// ```swift
/// let oauth = OAuth2Client(
///     tokenEndpoint: endpoint, clientID: "app", clientSecret: secret, transport: CurlTransport())
/// let tokens = TokenRefresher { _ in try await oauth.clientCredentials(scope: ["read"]) }
/// ```
///
/// The methods' `parameters` are additional parameters that a server knows, such as `audience`, or
/// `resource` for each server that the token is for (RFC 8707). A name may occur several times.
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
    let clock: any MoyaClock

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
    public func clientCredentials(
        scope: [String] = [], parameters: KeyValuePairs<String, String> = [:]
    ) async throws -> AccessToken {
        var fresh = try await token(
            [("grant_type", "client_credentials")], scope: scope, parameters)
        // A server may omit the scope if it equals the requested scope (section 5.1).
        if fresh.scope == nil, !scope.isEmpty { fresh.scope = scope }
        return fresh
    }

    /// Requests a token that replaces `last` (RFC 6749, section 6). Keeps the refresh token of
    /// `last` if the server sends no new one.
    ///
    /// - Parameter scope: A subset of the scope of `last`. Empty requests the same scope.
    /// - Throws: ``OAuth2Error``, and errors of the transport.
    public func refresh(
        _ last: AccessToken?, scope: [String] = [], parameters: KeyValuePairs<String, String> = [:]
    ) async throws -> AccessToken {
        guard let last, let refreshToken = last.refreshToken, !refreshToken.isEmpty else {
            throw OAuth2Error(.noRefreshToken)
        }
        var fresh = try await token(
            [("grant_type", "refresh_token"), ("refresh_token", refreshToken)], scope: scope,
            parameters)
        fresh.refreshToken = fresh.refreshToken ?? refreshToken
        fresh.scope = fresh.scope ?? (scope.isEmpty ? last.scope : scope)
        return fresh
    }

    /// Exchanges an authorization code for a token (RFC 6749, section 4.1.3).
    ///
    /// - Parameter codeVerifier: ``PKCE/verifier`` of the ``PKCE`` in the authorization URL.
    /// - Throws: ``OAuth2Error``, and errors of the transport.
    public func exchange(
        code: String, redirectURI: String, codeVerifier: String? = nil,
        parameters: KeyValuePairs<String, String> = [:]
    ) async throws -> AccessToken {
        var fields = [
            (name: "grant_type", value: "authorization_code"), ("code", code),
            ("redirect_uri", redirectURI),
        ]
        if let codeVerifier { fields.append(("code_verifier", codeVerifier)) }
        return try await token(fields, parameters)
    }

    /// Revokes a token when the user signs out (RFC 7009): its refresh token, with which servers
    /// revoke the access tokens that it was exchanged for, or the access token if there is no
    /// refresh token. A token that has expired is no error.
    ///
    /// ```swift
    /// tokens.replaceToken(with: nil)
    /// try await oauth.revoke(token, at: revocationEndpoint)
    /// ```
    ///
    /// - Parameter endpoint: URL of the revocation endpoint: https, or a loopback address.
    /// - Throws: ``OAuth2Error``, and errors of the transport. The token is then still valid, and
    ///   the call may be repeated.
    public func revoke(_ token: AccessToken, at endpoint: URL) async throws {
        let isRefreshToken = token.refreshToken?.isEmpty == false
        let (data, head) = try await post(
            [
                ("token", isRefreshToken ? token.refreshToken ?? "" : token.value),
                ("token_type_hint", isRefreshToken ? "refresh_token" : "access_token"),
            ], to: endpoint)
        // The body of a success has no meaning (section 2.2).
        guard !(200...299).contains(head.statusCode) else { return }
        _ = try OAuth2Answer.success(in: data, head, asked: clock.now)
    }

    func token(
        _ fields: [Field], scope: [String] = [], _ parameters: KeyValuePairs<String, String>
    ) async throws -> AccessToken {
        let asked = clock.now
        let (data, head) = try await post(fields, scope: scope, parameters, to: tokenEndpoint)
        return try OAuth2Answer.token(in: data, head, asked: asked)
    }

    typealias Field = (name: String, value: String)

    /// Sends a form with the client's authentication.
    func post(
        _ fields: [Field], scope: [String] = [], _ parameters: KeyValuePairs<String, String> = [:],
        to endpoint: URL
    ) async throws -> (Data, ResponseHead) {
        guard endpoint.scheme?.lowercased() == "https" || endpoint.isOnThisMachine else {
            throw OAuth2Error(.insecureEndpoint)
        }
        let fields = Self.fields(fields, scope: scope, parameters)
        let response = try await transport.send(request(fields, to: endpoint))
        guard case .data(let data) = response.body else { throw OAuth2Error(.invalidResponse) }
        return (data, response.head)
    }

    private static func fields(
        _ fields: [Field], scope: [String], _ parameters: KeyValuePairs<String, String>
    ) -> [Field] {
        let scope = scope.isEmpty ? [] : [(name: "scope", value: scope.joined(separator: " "))]
        return fields + scope + parameters.map { (name: $0.key, value: $0.value) }
    }

    private func request(_ fields: [Field], to endpoint: URL) -> TransportRequest {
        var fields = fields
        var request = URLRequest(url: endpoint)
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
        at endpoint: URL, redirectURI: String, scope: [String] = [], state: String, pkce: PKCE,
        parameters: KeyValuePairs<String, String> = [:]
    ) -> URL? {
        authorizationURL(
            at: endpoint, redirectURI: redirectURI, scope: scope, state: state,
            challenge: pkce.challenge, parameters)
    }

    func authorizationURL(
        at endpoint: URL, redirectURI: String, scope: [String], state: String, challenge: String,
        _ parameters: KeyValuePairs<String, String> = [:]
    ) -> URL? {
        let fields: [Field] = [
            (name: "response_type", value: "code"), ("client_id", clientID),
            ("redirect_uri", redirectURI), ("state", state), ("code_challenge", challenge),
            ("code_challenge_method", "S256"),
        ]
        var components = URLComponents(url: endpoint, resolvingAgainstBaseURL: true)
        let own = components?.percentEncodedQuery.map { $0.isEmpty ? "" : "\($0)&" } ?? ""
        components?.percentEncodedQuery =
            own + URLForm.encode(Self.fields(fields, scope: scope, parameters))
        components?.fragment = nil
        return components?.url
    }
}
