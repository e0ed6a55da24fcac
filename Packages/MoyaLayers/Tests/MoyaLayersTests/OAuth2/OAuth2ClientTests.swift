import Foundation
import MoyaCore
@testable import MoyaLayers
import MoyaTestSupport
import MoyaMockServer
import MoyaTesting
import MoyaTransportCurl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct OAuth2ClientTests {
    private let clock = TestClock()

    private func client(
        _ stub: StubTransport, endpoint: String = "https://auth.test/token",
        secret: String? = "s3cret&", authentication: OAuth2Client.Authentication = .basic
    ) -> OAuth2Client {
        OAuth2Client(
            tokenEndpoint: url(endpoint), clientID: "app:1", clientSecret: secret,
            authentication: authentication, transport: stub, clock: clock)
    }

    private func stub(_ json: String, status: Int = 200) -> StubTransport {
        StubTransport { try .test($0, status, body: json) }
    }

    private func body(of stub: StubTransport) -> String? {
        guard case .data(let data)? = stub.requests.last?.body else { return nil }
        return String(decoding: data, as: UTF8.self)
    }

    @Test func `the client credentials grant returns a token with expiration and scope`()
        async throws
    {
        let stub = stub(
            #"{"access_token":"2YotnF","token_type":"bearer","expires_in":3600,"scope":"a b"}"#)
        let token = try await client(stub).clientCredentials(scope: ["a", "b"])
        #expect(
            token
                == AccessToken("2YotnF", expiration: clock.now + 3600, scope: ["a", "b"]))
        #expect(body(of: stub) == "grant_type=client_credentials&scope=a%20b")
        let request = try #require(stub.requests.first)
        #expect(request.method == "POST")
        #expect(request.value(for: "Content-Type") == "application/x-www-form-urlencoded")
        #expect(
            request.value(for: "Authorization")
                == "Basic " + Data("app%3A1:s3cret%26".utf8).base64EncodedString())
    }

    @Test func `a token response without a scope has the requested scope`() async throws {
        let answer = #"{"access_token":"t"}"#
        let token = try await client(stub(answer)).clientCredentials(scope: ["a", "b"])
        #expect(token.scope == ["a", "b"])
        #expect(try await client(stub(answer)).clientCredentials().scope == nil)
    }

    @Test func `body authentication sends the client secret in the form body`() async throws {
        let stub = stub(#"{"access_token":"t"}"#)
        _ = try await client(stub, authentication: .body).clientCredentials()
        #expect(
            body(of: stub)
                == "grant_type=client_credentials&client_id=app%3A1&client_secret=s3cret%26")
        #expect(stub.requests[0].value(for: "Authorization") == nil)
    }

    @Test func `an OAuth 2 client without a secret sends only its client identifier`() async throws
    {
        let stub = stub(#"{"access_token":"t"}"#)
        _ = try await client(stub, secret: nil).exchange(
            code: "c/1", redirectURI: "app://back?x=1", codeVerifier: "v")
        #expect(
            body(of: stub)
                == "grant_type=authorization_code&code=c%2F1&redirect_uri=app%3A%2F%2Fback%3Fx%3D1"
                + "&code_verifier=v&client_id=app%3A1")
    }

    @Test func `a refresh keeps the refresh token until the server sends a new one`() async throws {
        let last = AccessToken("old", refreshToken: "r1", scope: ["a"])
        let kept = stub(#"{"access_token":"new","expires_in":"60"}"#)
        let token = try await client(kept).refresh(last)
        #expect(
            token
                == AccessToken(
                    "new", expiration: clock.now + 60, refreshToken: "r1", scope: ["a"]))
        #expect(body(of: kept) == "grant_type=refresh_token&refresh_token=r1")
        let rotated = stub(#"{"access_token":"new","refresh_token":"r2"}"#)
        #expect(try await client(rotated).refresh(last).refreshToken == "r2")
    }

    @Test func `a refresh without a refresh token fails and sends nothing`() async {
        let stub = stub("{}")
        let error = await thrown { try await client(stub).refresh(AccessToken("old")) }
        #expect((error as? OAuth2Error)?.code == .noRefreshToken)
        #expect(stub.requests.isEmpty)
    }

    @Test func `an OAuth 2 error has the code, status and description of the server`() async throws
    {
        let stub = stub(
            #"{"error":"invalid_scope","error_description":"no\u001b[31m such scope"}"#, status: 400
        )
        let error = await thrown { try await client(stub).clientCredentials() }
        let refusal = try #require(error as? OAuth2Error)
        #expect(refusal.code == .init(rawValue: "invalid_scope"))
        #expect(refusal.statusCode == 400)
        #expect(
            refusal.localizedDescription
                == "The authorization server refused the request with the status 400: "
                + "invalid_scope. no[31m such scope")
    }

    @Test(arguments: [
        "", "[]", "<html>", "{}", #"{"access_token":""}"#, #"{"access_token":1}"#,
        #"{"access_token":null}"#, #"{"access_token":{}}"#, #"{"error":""}"#, #"{"error":null}"#,
        "access_token=t",
    ])
    func `an invalid token response is refused as invalidResponse`(json: String) async {
        let error = await thrown { try await client(stub(json)).clientCredentials() }
        #expect((error as? OAuth2Error)?.code == .invalidResponse)
    }

    @Test(arguments: [
        #"{"access_token":"a\u0001b"}"#, #"{"access_token":"a\r\nInjected: 1"}"#,
        #"{"access_token":"ä"}"#, #"{"access_token":"t","token_type":"Bear\u0001er"}"#,
        #"{"access_token":"t","token_type":"Bearer realm"}"#,
    ])
    func `a token with characters that no header field can hold is refused`(json: String)
        async throws
    {
        let server = try MockServer { _ in
            MockResponse(body: .data(Data(json.utf8))).adding("Content-Type", "application/json")
        }
        defer { server.stop() }
        let client = OAuth2Client(
            tokenEndpoint: server.url, clientID: "app", transport: CurlTransport(), clock: clock)
        let error = await thrown { try await client.clientCredentials() }
        #expect((error as? OAuth2Error)?.code == .invalidResponse)
    }

    @Test(
        arguments: [
            ("3600", 3600), ("1.5", 1.5), ("\"3600\"", 3600), ("\"3600.0\"", 3600), ("0", nil),
            ("-1", nil), ("\"0\"", nil), ("\"\"", nil), ("\"soon\"", nil), ("\"nan\"", nil),
            ("\"inf\"", nil), ("\"0x10\"", nil), ("null", nil), ("1e300", 1e10), ("1e400", nil),
            ("{}", nil), ("[60]", nil), ("true", nil), ("3599.75", 3599.75), ("-1e300", nil),
            ("99999999999999999999", 1e10), ("\"-3600\"", nil), ("\"99999999999999999999\"", 1e10),
        ] as [(String, TimeInterval?)])
    func `expires_in is read as a number or text, and an invalid value gives no expiration`(
        json: String, seconds: TimeInterval?
    ) async throws {
        let stub = stub(#"{"access_token":"t","expires_in":\#(json)}"#)
        let token = try await client(stub).clientCredentials()
        #expect(token.expiration == seconds.map { clock.now + $0 })
    }

    @Test func `a refresh with a narrower scope returns a token with that scope`() async throws {
        let last = AccessToken("old", refreshToken: "r1", scope: ["a", "b"])
        let stub = stub(#"{"access_token":"new"}"#)
        #expect(try await client(stub).refresh(last, scope: ["a"]).scope == ["a"])
        #expect(try await client(stub).refresh(last).scope == ["a", "b"])
    }

    @Test func `a printed OAuth 2 client shows no secret`() {
        let client = OAuth2Client(
            tokenEndpoint: url("https://u:hush@auth.test/token"), clientID: "app",
            clientSecret: "hush", transport: stub(""))
        var dumped = ""
        dump(client, to: &dumped)
        let text = "\(client)\(String(reflecting: client))\(dumped)"
        #expect(!text.contains("hush") && text.contains("app"))
    }

    @Test func `an OAuth 2 error of the server is stripped of control characters`() async {
        let stub = stub(
            #"{"error":"a\u001b[2Jb\r\nc\u009b","error_description":"d\u0007e"}"#, status: 400)
        let error = await thrown { try await client(stub).clientCredentials() } as? OAuth2Error
        #expect(error?.code.rawValue == "a[2Jbc")
        #expect(
            error?.errorDescription
                == "The authorization server refused the request with the status 400: a[2Jbc. de")
    }

    @Test func `a redirect of the token endpoint is an error and not followed`() async {
        let stub = stub("", status: 307)
        let error = await thrown { try await client(stub).clientCredentials() }
        #expect((error as? OAuth2Error)?.statusCode == 307)
    }

    @Test func `a token endpoint with http is refused unless on the loopback interface`()
        async throws
    {
        let stub = stub(#"{"access_token":"t"}"#)
        let error = await thrown {
            try await client(stub, endpoint: "http://auth.test/token").clientCredentials()
        }
        #expect((error as? OAuth2Error)?.code == .insecureEndpoint)
        #expect(stub.requests.isEmpty)
        _ = try await client(stub, endpoint: "http://127.0.0.1:8080/token").clientCredentials()
    }

    @Test func `the authorization URL has all parameters of an authorization code request`() throws
    {
        let address = client(stub("")).authorizationURL(
            at: url("https://auth.test/authorize?tenant=1#top"), redirectURI: "app://back",
            scope: ["a", "b"], state: "x&y", challenge: "abc")
        #expect(
            address?.absoluteString
                == "https://auth.test/authorize?tenant=1&response_type=code&client_id=app%3A1"
                + "&redirect_uri=app%3A%2F%2Fback&state=x%26y&code_challenge=abc"
                + "&code_challenge_method=S256&scope=a%20b")
    }

    @Test func `additional parameters are sent with every grant, repeated names in order`()
        async throws
    {
        let stub = stub(#"{"access_token":"t"}"#)
        let client = client(stub)
        // RFC 8707, section 2: one `resource` for each server.
        _ = try await client.clientCredentials(
            scope: ["a"],
            parameters: ["resource": "https://a.test/x", "resource": "https://b.test/"])
        #expect(
            body(of: stub)
                == "grant_type=client_credentials&scope=a&resource=https%3A%2F%2Fa.test%2Fx"
                + "&resource=https%3A%2F%2Fb.test%2F")
        _ = try await client.refresh(
            AccessToken("old", refreshToken: "r"), parameters: ["audience": "api"])
        #expect(body(of: stub) == "grant_type=refresh_token&refresh_token=r&audience=api")
        _ = try await client.exchange(
            code: "c", redirectURI: "app://back", parameters: ["audience": "api"])
        #expect(
            body(of: stub)
                == "grant_type=authorization_code&code=c&redirect_uri=app%3A%2F%2Fback&audience=api"
        )
        let address = client.authorizationURL(
            at: url("https://auth.test/authorize"), redirectURI: "app://back", state: "s",
            pkce: PKCE(), parameters: ["audience": "https://api.test", "prompt": "login"])
        let query = address?.query ?? ""
        #expect(query.hasSuffix("&audience=https%3A%2F%2Fapi.test&prompt=login"))
    }

    // RFC 7009, section 2.1.
    @Test func `a revocation sends the refresh token, or the access token without one`()
        async throws
    {
        let stub = stub("")
        let endpoint = url("https://auth.test/revoke")
        try await client(stub).revoke(AccessToken("a", refreshToken: "r/1"), at: endpoint)
        #expect(body(of: stub) == "token=r%2F1&token_type_hint=refresh_token")
        let request = try #require(stub.requests.last)
        #expect(request.urlRequest.url == endpoint)
        #expect(request.value(for: "Authorization")?.hasPrefix("Basic ") == true)
        try await client(stub, secret: nil).revoke(AccessToken("a"), at: endpoint)
        #expect(body(of: stub) == "token=a&token_type_hint=access_token&client_id=app%3A1")
    }

    // RFC 7009, section 2.2.1.
    @Test(
        arguments: [
            (#"{"error":"unsupported_token_type"}"#, 400, "unsupported_token_type"),
            ("busy", 503, "invalid_response"), ("", 302, "invalid_response"),
        ])
    func `a revocation that the server refuses is an error`(
        answer: String, status: Int, code: String
    ) async throws {
        let client = client(stub(answer, status: status))
        let error =
            await thrown {
                try await client.revoke(AccessToken("a"), at: url("https://auth.test/revoke"))
            } as? OAuth2Error
        #expect(error?.code.rawValue == code)
        #expect(error?.statusCode == status)
    }

    @Test func `a revocation and a device sign-in refuse http endpoints`() async {
        let stub = stub("")
        let endpoint = url("http://auth.test/")
        let client = client(stub)
        let errors = [
            await thrown { try await client.revoke(AccessToken("a"), at: endpoint) },
            await thrown { try await client.deviceAuthorization(at: endpoint) },
        ]
        #expect(errors.allSatisfy { ($0 as? OAuth2Error)?.code == .insecureEndpoint })
        #expect(stub.requests.isEmpty)
    }

    @Test func `a token refresher with an OAuth 2 client authorizes a request`() async throws {
        let oauth = client(stub(#"{"access_token":"t1"}"#))
        let tokens = TokenRefresher { _ in try await oauth.clientCredentials() }
        let stub = StubTransport { try .test($0, body: $0.value(for: "Authorization") ?? "") }
        let transport = stub.authorizing(with: tokens)
        let request = TransportRequest.test(target: Thing(authorizationType: .bearer))
        #expect(try await transport.send(request).text == "Bearer t1")
    }
}

@Suite struct PKCETests {
    @Test func `the PKCE challenge equals the example of RFC 7636`() throws {
        let pkce = try #require(
            PKCE(verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))
        #expect(pkce.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test func `random PKCE verifiers are unique and valid`() {
        let secrets = Set((0..<100).map { _ in PKCE().verifier })
        #expect(secrets.count == 100)
        #expect(secrets.allSatisfy { PKCE(verifier: $0) != nil })
    }

    @Test(arguments: [
        "", "short", String(repeating: "a", count: 129),
        "ä\(String(repeating: "a", count: 50))",
    ])
    func `a PKCE verifier that RFC 7636 does not allow is refused`(verifier: String) {
        #expect(PKCE(verifier: verifier) == nil)
    }

    @Test func `a printed PKCE shows no verifier`() {
        let pkce = PKCE()
        var dumped = ""
        dump(pkce, to: &dumped)
        #expect(!"\(pkce)\(dumped)".contains(pkce.verifier))
    }
}
