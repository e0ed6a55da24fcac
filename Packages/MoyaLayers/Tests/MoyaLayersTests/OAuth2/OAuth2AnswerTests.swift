import Foundation
import MoyaCore
@testable import MoyaLayers
import MoyaTestSupport
import MoyaTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Token responses as providers document them, and members that RFC 6749, section 5.1, does not
/// allow, beside a valid token.
@Suite struct OAuth2AnswerTests {
    private let clock = TestClock()

    private func client(
        _ body: String, _ status: Int = 200, type: String = "application/json"
    ) -> OAuth2Client {
        let stub = StubTransport {
            try .test($0, status, ["Content-Type": type], body: body)
        }
        return OAuth2Client(
            tokenEndpoint: url("https://auth.test/token"), clientID: "app", transport: stub,
            clock: clock)
    }

    private func token(_ body: String, type: String = "application/json") async throws
        -> AccessToken
    {
        try await client(body, type: type).exchange(code: "c", redirectURI: "app://back")
    }

    private func error(
        _ body: String, _ status: Int, type: String = "application/json"
    ) async throws -> OAuth2Error {
        let error = await thrown { try await client(body, status, type: type).clientCredentials() }
        return try #require(error as? OAuth2Error)
    }

    // MARK: Documented responses

    // docs.github.com, "Authorizing OAuth apps".
    @Test(arguments: [
        (
            "application/x-www-form-urlencoded; charset=utf-8",
            "access_token=gho_16C7e42F292c6912E7710c838347Ae178B4a&scope=repo%2Cgist&token_type=bearer"
        ),
        (
            "application/json; charset=utf-8",
            #"{"access_token":"gho_16C7e42F292c6912E7710c838347Ae178B4a","scope":"repo,gist","token_type":"bearer"}"#
        ),
    ])
    func `the token response of GitHub is read as a form and as JSON`(type: String, body: String)
        async throws
    {
        let expected = AccessToken(
            "gho_16C7e42F292c6912E7710c838347Ae178B4a", scope: ["repo", "gist"])
        #expect(try await token(body, type: type) == expected)
    }

    // docs.github.com, "Refreshing user access tokens": the scope is always empty.
    @Test func `the refresh response of GitHub has an empty scope, and keeps the former scope`()
        async throws
    {
        let body = """
            {"access_token":"ghu_16C7","expires_in":28800,"refresh_token":"ghr_1B4a",
            "refresh_token_expires_in":15897600,"scope":"","token_type":"bearer"}
            """
        let last = AccessToken("old", refreshToken: "ghr_1", scope: ["repo"])
        let fresh = try await client(body).refresh(last)
        #expect(
            fresh
                == AccessToken(
                    "ghu_16C7", expiration: clock.now + 28800, refreshToken: "ghr_1B4a",
                    scope: ["repo"]))
    }

    // docs.github.com, "Troubleshooting OAuth app access token request errors": with status 200.
    @Test(arguments: [
        (
            "application/json",
            #"{"error":"bad_verification_code","error_description":"The code passed is incorrect or expired.","error_uri":"https://docs.github.com/x"}"#
        ),
        (
            "application/x-www-form-urlencoded",
            "error=bad_verification_code&error_description=The+code+passed+is+incorrect+or+expired."
        ),
    ])
    func `an error of GitHub with status 200 is an error`(type: String, body: String) async throws {
        let error = try await error(body, 200, type: type)
        #expect(error.code == .init(rawValue: "bad_verification_code"))
        #expect(error.detail == "The code passed is incorrect or expired.")
    }

    // developers.facebook.com, "Manually Build a Login Flow" and "Handling Errors".
    @Test func `the token and the error of Facebook are read`() async throws {
        let fresh = try await token(
            #"{"access_token":"EAA1","token_type":"bearer","expires_in":5183944}"#)
        #expect(fresh == AccessToken("EAA1", expiration: clock.now + 5_183_944))
        let error = try await error(
            #"{"error":{"message":"Error validating verification code.","type":"OAuthException","code":100,"fbtrace_id":"EJplcsCHuLu"}}"#,
            400)
        #expect(error.code == .init(rawValue: "OAuthException"))
        #expect(error.detail == "Error validating verification code.")
    }

    // api.slack.com, "oauth.v2.access".
    @Test func `the token of Slack is sent as Bearer, and its error is read`() async throws {
        let fresh = try await token(
            """
            {"ok":true,"access_token":"xoxb-17653672481-19874698323-pdFZKVeTuE8sk7oOcBrzbqgy",
            "token_type":"bot","scope":"commands,incoming-webhook","bot_user_id":"U0KRQLJ9H",
            "app_id":"A0KRD7HC3","expires_in":43200,"refresh_token":"xoxe-1-abc",
            "team":{"name":"Slack Pickleball Team","id":"T9TK3CUKW"},"enterprise":null,
            "authed_user":{"id":"U1234","scope":"chat:write","access_token":"xoxp-1234",
            "token_type":"user"}}
            """)
        #expect(
            fresh
                == AccessToken(
                    "xoxb-17653672481-19874698323-pdFZKVeTuE8sk7oOcBrzbqgy",
                    expiration: clock.now + 43200, refreshToken: "xoxe-1-abc",
                    scope: ["commands", "incoming-webhook"]))
        let error = try await error(#"{"ok":false,"error":"invalid_code"}"#, 200)
        #expect(error.code == .init(rawValue: "invalid_code"))
    }

    // learn.microsoft.com, "OAuth 2.0 authorization code flow" and "managed identities".
    @Test func `the tokens and the error of Azure are read`() async throws {
        let fresh = try await token(
            #"{"access_token":"eyJ0","token_type":"Bearer","expires_in":3599,"scope":"https://graph.microsoft.com/mail.read offline_access","refresh_token":"AwAB","id_token":"eyJ0"}"#
        )
        #expect(
            fresh.scope == ["https://graph.microsoft.com/mail.read", "offline_access"])
        let managed = try await token(
            #"{"access_token":"eyJ0","client_id":"1","expires_in":"3599","expires_on":"1506484173","ext_expires_in":"3599","not_before":"1506480273","resource":"https://management.azure.com/","token_type":"Bearer"}"#
        )
        #expect(managed == AccessToken("eyJ0", expiration: clock.now + 3599))
        let error = try await error(
            #"{"error":"invalid_scope","error_description":"AADSTS70011: The provided value for the input parameter 'scope' is not valid.\r\nTrace ID: 255d1aef","error_codes":[70011],"timestamp":"2016-01-09 02:02:12Z"}"#,
            400)
        #expect(error.detail?.hasPrefix("AADSTS70011: The provided value") == true)
    }

    // MARK: Members of other types

    @Test(arguments: [
        #""token_type":"""#, #""token_type":null"#, #""token_type":1"#, #""error":"""#,
        #""error":null"#, #""error":[]"#, #""error":false"#, #""error_description":1"#,
        #""refresh_token":"""#, #""refresh_token":null"#, #""refresh_token":{}"#, #""scope":null"#,
        #""scope":"""#, #""scope":{}"#, #""scope":[1]"#, #""expires_in":{}"#, #""expires_in":"""#,
    ])
    func `a valid token is used, whatever the other members are`(member: String) async throws {
        let last = AccessToken("old", refreshToken: "r1", scope: ["a"])
        let fresh = try await client(#"{"access_token":"new",\#(member)}"#).refresh(last)
        #expect(fresh == AccessToken("new", refreshToken: "r1", scope: ["a"]))
    }

    @Test(arguments: [
        (#"["a","b"]"#, ["a", "b"]), (#"["a",""]"#, ["a"]), (#""a b""#, ["a", "b"]),
        (#""a,b""#, ["a", "b"]), (#""a,1 b""#, ["a,1", "b"]), (#""  a""#, ["a"]),
    ])
    func `a scope is an array, or a text with spaces or commas`(json: String, scope: [String])
        async throws
    {
        #expect(try await token(#"{"access_token":"t","scope":\#(json)}"#).scope == scope)
    }

    @Test func `an empty refresh token is not sent`() async {
        let last = AccessToken("old", refreshToken: "")
        let error = await thrown { try await client("{}").refresh(last) }
        #expect((error as? OAuth2Error)?.code == .noRefreshToken)
    }

    // MARK: Bodies that are no JSON

    @Test(arguments: [429, 500, 502, 503])
    func `an error with an HTML body has its status and quotes its beginning`(status: Int)
        async throws
    {
        let page =
            "<html>\r\n<head><title>Service Temporarily Unavailable</title></head>\r\n</html>"
        let error = try await error(page, status, type: "text/html")
        #expect(error.code == .invalidResponse)
        #expect(error.statusCode == status)
        let text = error.localizedDescription
        #expect(text.contains("\(status)"))
        #expect(
            text.hasSuffix(
                "<html> <head><title>Service Temporarily Unavailable</title></head> </html>"))
    }

    @Test func `an error with a text body quotes at most 200 characters`() async throws {
        let error = try await error("over\u{1B}load " + String(repeating: "x", count: 900_000), 503)
        #expect(error.detail?.hasPrefix("overload xxx") == true)
        #expect(error.detail?.unicodeScalars.count == 200)
    }

    @Test func `an error quotes the description of the server next to invalid_grant`() async throws
    {
        let error = try await error(
            #"{"error":"invalid_grant","error_description":"Token has been revoked."}"#, 400)
        #expect(error.localizedDescription.hasSuffix("The server said: Token has been revoked."))
    }

    @Test(arguments: [
        #"{"access_token":"hush hush"#, #"{"access_token":"hush\u0001","refresh_token":"hush"}"#,
        #"{"error":"x","error_description":"client_secret=hush is wrong"}"#,
        #"{"message":{"client_secret":"hush"}}"#, "client_secret=hush&x=y",
        "<p>password=hush</p>",
    ])
    func `an error of a token endpoint quotes no secret`(body: String) async throws {
        let error = try await error(body, 400)
        #expect(error.detail != nil)
        #expect(!"\(error.localizedDescription) \(error.detail ?? "")".contains("hush"))
    }
}
