import Foundation
import MoyaCore
import Testing

/// Names of secrets in the documentation of known services, and names without secrets.
@Suite struct SensitiveNamesTests {
    /// Header fields of services, their gateways and common servers.
    static let fields = """
        Authorization Proxy-Authorization Cookie Cookie2 Set-Cookie Set-Cookie2 Authentication-Info \
        Proxy-Authentication-Info DPoP X-Api-Key Api-Key ApiKey X-ApiKey X-Auth X-Auth-Token X-Auth-Key \
        X-Auth-Email X-Auth-User-Service-Key X-Access-Token X-Refresh-Token X-Id-Token X-Session-Id \
        X-Session-Token X-SessionID X-Sid X-JWT X-JWT-Assertion X-Otp X-GitHub-OTP X-2FA-Code X-MFA-Token \
        X-Totp X-Pin X-Password X-Secret X-Signature X-Hmac X-CSRF-Token X-CSRFToken X-XSRF-TOKEN CSRF-Token \
        X-WP-Nonce X-Amz-Security-Token x-amz-access-token x-amz-server-side-encryption-customer-key \
        x-amz-server-side-encryption-customer-key-MD5 x-amz-copy-source-server-side-encryption-customer-key \
        X-Amzn-Oidc-Accesstoken X-Amzn-Oidc-Data X-Aws-Ec2-Metadata-Token x-goog-api-key \
        x-goog-encryption-key x-goog-iam-authorization-token X-Goog-IAP-JWT-Assertion X-Goog-Channel-Token \
        X-Firebase-AppCheck X-Firebase-Auth Ocp-Apim-Subscription-Key X-Functions-Key x-ms-encryption-key \
        x-ms-authorization-auxiliary X-MS-TOKEN-AAD-ACCESS-TOKEN X-MS-TOKEN-AAD-ID-TOKEN X-ZUMO-AUTH \
        aeg-sas-key aeg-sas-token X-IDENTITY-HEADER PRIVATE-TOKEN JOB-TOKEN Deploy-Token \
        X-Gitlab-Token X-Hub-Signature X-Hub-Signature-256 Circle-Token X-Buildkite-Token \
        X-JFrog-Art-Api X-Octopus-ApiKey X-NuGet-ApiKey X-Vault-Token X-Consul-Token X-Nomad-Token \
        Stripe-Signature X-Twilio-Signature X-Slack-Signature X-Shopify-Access-Token \
        X-Shopify-Storefront-Access-Token X-Shopify-Hmac-Sha256 X-Signature-Ed25519 DD-API-KEY \
        DD-APPLICATION-KEY X-Insert-Key X-Query-Key X-License-Key X-Honeycomb-Team X-Rollbar-Access-Token \
        Bugsnag-Api-Key X-Sentry-Auth X-Algolia-API-Key X-Postmark-Server-Token X-Postmark-Account-Token \
        X-Mandrill-Signature xi-api-key X-RapidAPI-Key X-Mashape-Key X-Mashape-Authorization X-MBX-APIKEY \
        X-BX-APIKEY CB-ACCESS-KEY CB-ACCESS-SIGN CB-ACCESS-PASSPHRASE OK-ACCESS-SIGN X-BAPI-SIGN API-Sign \
        X-TrackerToken X-Redmine-API-Key X-Figma-Token X-Plex-Token X-Emby-Token X-Parse-REST-API-Key \
        X-Parse-Master-Key X-Parse-Session-Token X-Subject-Token X-Service-Token X-Storage-Token \
        X-Guest-Token X-Line-Signature X-Telegram-Bot-Api-Secret-Token CF-Access-Client-Secret \
        CF-Access-Jwt-Assertion X-Forwarded-Access-Token X-Auth-Request-Access-Token X-User-Token \
        X-Device-Token X-Client-Secret X-Webhook-Secret X-Management-Token X-Appwrite-Key X-Appwrite-JWT \
        X-Pusher-Key Jenkins-Crumb CST AccessKey X-Hasura-Admin-Secret PayPal-Auth-Assertion PAYPAL-TRANSMISSION-SIG X-CMC_PRO_API_KEY X-Qlik-Xrfkey sessionid X-aPiKeY \
        Ticket X-Ticket X-LoginTicket X-Login-Hash
        """

    /// Parameters of queries and forms.
    static let parameters = """
        access_token refresh_token id_token token api_key apikey apiKey key code code_verifier client_secret \
        client_assertion assertion SAMLResponse SAMLRequest device_code user_code id_token_hint login_token \
        password passwd pwd pass passphrase passcode old_password new_password1 PASSWORD currentPassword \
        secret secret_key signature sig sign X-Amz-Signature X-Amz-Credential X-Amz-Security-Token \
        X-Goog-Signature X-Goog-Credential AWSAccessKeyId Signature hmac auth auth_token authkey oauth_token \
        oauth_verifier oauth_signature session session_id sid PHPSESSID JSESSIONID ASP.NET_SessionId \
        connect.sid api_hash access_hash CFTOKEN csrfmiddlewaretoken appid authenticity_token _csrf __RequestVerificationToken _wpnonce \
        otp pin mfa_code subscription-key app_key appkey hapikey consumer_key consumer_secret ticket \
        stripeToken user[password] login.password jwt bearer_token magic_token
        """

    /// Members of JSON.
    static let members = """
        accessToken refreshToken idToken clientSecret secretAccessKey SecretAccessKey SessionToken \
        aws_secret_access_key privateKey private_key private_key_id apiKey api_keys apiToken password \
        passwordHash newPassword userPassword pinCode otp totpSecret mfaToken recovery_codes sharedSecret \
        signing_secret webhook_secret webhookSecret hashed_password masterKey encryptionKey connectionString \
        accountKey primary_access_key sasToken authToken auth bearerToken sessionId sessionKey csrfToken \
        credentials credential jwt cookie cookies connection_string cvv cvc cardNumber card_number security_answer \
        mnemonic seed_phrase passwordResetUrl password_reset_url sessionUrl resetPasswordUri magicLinkUrl magic_link \
        sessionurl signatureUri licenseKey writeKey serverKey integration_key routing_key bot_token user_token loginTicket cas_ticket loginHash
        """

    /// Header fields that have to stay readable in logs.
    static let harmlessFields = """
        Content-Type Content-Length Content-Encoding Accept Accept-Language User-Agent Host Date ETag \
        If-None-Match Cache-Control Range X-Request-Id X-Correlation-Id traceparent Idempotency-Key \
        X-Next-Page-Token Sec-WebSocket-Key Surrogate-Key X-Cache-Key X-Author Authority X-Keyboard-Layout \
        X-Amz-Date X-Amz-Content-Sha256 X-Ratelimit-Remaining-Tokens anthropic-ratelimit-tokens-limit \
        anthropic-version X-GitHub-Api-Version Retry-After Location Vary Server X-Powered-By Strict-Transport-Security \
        X-Forwarded-For Alt-Svc X-Shipping-Method OpenAI-Organization Stripe-Version X-Passed-Checks X-Bypass \
        X-Ticket-Id X-Ticketing X-Content-Hash X-Commit-Hash
        """

    /// Members and parameters that have to stay readable.
    static let harmlessMembers = """
        name id keyboard monkey turkey author authors coauthor authority tokenizer tokenization max_tokens \
        total_tokens promptTokens completion_tokens nextPageToken page_token continuationToken token_type \
        tokenType token_endpoint expires_in primaryKey primary_key foreignKey sortKey public_key publicKey \
        keys keywords secretary compass passed passenger bypass profession possession expression design \
        assigned signal status_code error_code country_code zipcode encode decoder pinned spinner opinion \
        sidebar inside outside residence authorization_endpoint session_timeout password_policy cookie_policy_url \
        significant page q limit offset state scope grant_type client_id redirect_uri response_type \
        token_url tokenUri tokenURL tokenurl auth_uri authUrl authorization_url authorizationUrl authorizeUri \
        access_token_url refreshTokenUrl oauth_token_url auth_provider_url tokenInfoUri passwordPolicyUrl \
        ticket_id ticketNumber tickets parent_ticket ticket_price hash commitHash file_hash hashtag
        """

    private static func names(_ list: String) -> [String] {
        list.split(separator: " ").map(String.init)
    }

    @Test func `the lists have more than 250 different names of secrets`() {
        #expect(
            Set(Self.names(Self.fields) + Self.names(Self.parameters) + Self.names(Self.members))
                .count > 250)
    }

    @Test(arguments: names(fields))
    func `a header field in which a known service sends a secret is masked`(name: String) {
        #expect(Redaction.default.redact("hush", ofHeader: name) == "***")
        #expect(Redaction.default.redact("hush", ofHeader: name.lowercased()) == "***")
        #expect(Redaction.none.redact("hush", ofHeader: name) == "hush")
    }

    @Test(arguments: names(parameters))
    func `a secret parameter of a known service is masked in queries, fragments and forms`(
        name: String
    ) throws {
        let query = "a=1&\(name.replacingOccurrences(of: "[", with: "%5B"))=hush&b=2"
        for text in ["https://h.test/?\(query)", "https://h.test/#\(query)"] {
            let shown = Redaction.default.redact(url: url(text))
            #expect(!shown.contains("hush"))
            #expect(shown.hasSuffix("=***&b=2"))
        }
        let form = Redaction.default.redact(body: Data("a=1&\(name)=hush&b=2".utf8))
        #expect(String(decoding: form, as: UTF8.self) == "a=1&\(name)=***&b=2")
    }

    @Test(
        arguments: names(members)
            + names(parameters).filter { !["appid", "ticket"].contains($0) && !$0.contains("[") }
    )
    func `a secret JSON member of a known service is masked at any depth`(name: String) {
        let body = Redaction.default.redact(
            body: Data(#"{"a":[{"b":{"\#(name)":"hush"}}],"c":1}"#.utf8))
        #expect(String(decoding: body, as: UTF8.self) == #"{"a":[{"b":{"\#(name)":"***"}}],"c":1}"#)
    }

    @Test(arguments: names(harmlessFields))
    func `a header field without a secret stays readable`(name: String) {
        #expect(Redaction.default.redact("seen", ofHeader: name) == "seen")
    }

    @Test(arguments: names(harmlessMembers))
    func `a member or parameter without a secret stays readable`(name: String) {
        let json = #"{"\#(name)":"seen"}"#
        #expect(
            String(decoding: Redaction.default.redact(body: Data(json.utf8)), as: UTF8.self) == json
        )
        #expect(
            Redaction.default.redact(url: url("https://h.test/?\(name)=seen"))
                == "https://h.test/?\(name)=seen")
    }
}
