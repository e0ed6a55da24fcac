import Foundation
import MoyaCore
import Testing

/// Secrets in every part of a message.
@Suite struct SecretPlacesTests {
    private static let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"

    private func shown(_ body: String) -> String {
        String(decoding: Redaction.default.redact(body: Data(body.utf8)), as: UTF8.self)
    }

    @Test(arguments: [
        ("https://h.test/p;jsessionid=hush/q?a=1", "https://h.test/p;jsessionid=***/q?a=1"),
        ("https://h.test/p%3Bjsessionid=hush/q%3Bv=1", "https://h.test/p%3Bjsessionid=***/q%3Bv=1"),
        ("https://h.test/p%3bjsessionid%3Dhush/q", "https://h.test/p%3bjsessionid%3D***/q"),
        ("https://h.test/p;v=1;sid=hush?a=1", "https://h.test/p;v=1;sid=***?a=1"),
        ("https://h.test/?a=1;token=hush&b=2", "https://h.test/?a=1;token=***&b=2"),
        (
            "https://h.test/cb#access_token=hush&state=1",
            "https://h.test/cb#access_token=***&state=1"
        ),
        ("https://h.test/\(jwt)/x", "https://h.test/***/x"),
        ("https://hooks.slack.com/services/T0/B0/hush", "https://hooks.slack.com/services/***"),
        ("https://api.telegram.org/bot1:hush/getMe?a=1", "https://api.telegram.org/bot***?a=1"),
        ("https://h.test/?x=\(jwt)", "https://h.test/?x=***"),
        (
            "https://h.test/?next=https%3A%2F%2Fb.test%2F%3Ftoken%3Dhush%26c%3D1",
            "https://h.test/?next=https%3A%2F%2Fb.test%2F%3Ftoken%3D***%26c%3D1"
        ),
        (
            "https://h.test/?a=https%3A%2F%2Fb.test%2F%3Fb%3D%252F%253Ftoken%253Dhush",
            "https://h.test/?a=https%3A%2F%2Fb.test%2F%3Fb%3D%252F%253Ftoken%253D***"
        ),
        (
            "https://h.test/?variables=%7B%22password%22%3A%22hush%22%7D",
            "https://h.test/?variables=%7B%22password%22%3A%22***%22%7D"
        ),
        ("https://h.test/?t%6Fken=hush&a=1", "https://h.test/?t%6Fken=***&a=1"),
        ("https://h.test/?t%256Fken=hush&a=1", "https://h.test/?t%256Fken=***&a=1"),
        (
            "https://h.test/?user%255Bpassword%255D=hush",
            "https://h.test/?user%255Bpassword%255D=***"
        ),
        (
            "https://h.test/?a=https%253A%252F%252Fb.test%252F%253Ftoken%253Dhush%2526c%253D1",
            "https://h.test/?a=https%253A%252F%252Fb.test%252F%253Ftoken%253D***%2526c%253D1"
        ),
        (
            "https://h.test/?a=b%253D1%2526token%253Dhush",
            "https://h.test/?a=b%253D1%2526token%253D***"
        ),
        ("https://h.test/?a=50%25%20off%2521", "https://h.test/?a=50%25%20off%2521"),
        ("me@h.test/a", "me@h.test/a"), ("u:hush@h.test:8080", "***@h.test:8080"),
    ])
    func `a secret in any part of a URL is masked`(text: String, expected: String) {
        #expect(Redaction.default.redact(url: url(text)) == expected)
    }

    @Test(arguments: [
        ("Refresh", "5; url=https://h.test/?token=hush", "5; url=https://h.test/?token=***"),
        ("Refresh", "0;URL='https://u:hush@h.test/'", "0;URL='https://***@h.test/'"),
        ("Location", "https://h.test/#id_token=hush", "https://h.test/#id_token=***"),
        ("X-Original-URL", "/a?api_key=hush&b=1", "/a?api_key=***&b=1"),
        ("x-ms-copy-source", "https://h.test/b?sv=1&sig=hush", "https://h.test/b?sv=1&sig=***"),
        ("Content-Disposition", "form-data; name=a; token=hush", "form-data; name=a; token=***"),
        ("X-Debug", "Bearer hush.hush", "Bearer ***"), ("X-Debug", "a \(jwt) b", "a *** b"),
        ("X-Debug", #"{"password":"hush"}"#, #"{"password":"***"}"#),
        (
            "X-Return-To", "https%3A%2F%2Fh.test%2F%3Ftoken%3Dhush",
            "https%3A%2F%2Fh.test%2F%3Ftoken%3D***"
        ),
        ("X-Return-To", "https%3A%2F%2Fh.test%2F%3Fa%3D1", "https%3A%2F%2Fh.test%2F%3Fa%3D1"),
        (
            "WWW-Authenticate", #"Basic realm="r", charset="UTF-8""#,
            #"Basic realm="r", charset="UTF-8""#
        ),
        (
            "WWW-Authenticate", #"Digest realm="r", nonce="hush", qop="auth", algorithm=MD5"#,
            #"Digest realm="r", nonce=***, qop="auth", algorithm=MD5"#
        ),
        ("Proxy-Authenticate", "Negotiate aHVzaGh1c2g=", "Negotiate ***"),
        (
            "WWW-Authenticate", #"Negotiate aHVzaA==, Basic realm="r""#,
            #"Negotiate ***, Basic realm="r""#
        ),
        ("WWW-Authenticate", #"Bearer error="invalid_token""#, #"Bearer error="invalid_token""#),
        ("Authentication-Info", #"nextnonce="hush", rspauth="hush""#, "***"),
        ("Proxy-Authentication-Info", "nextnonce=hush", "***"),
        ("Set-Cookie", "a=hush; Path=/", "***"),
        (
            "Link", "<https://h.test/?page=2&token=hush>; rel=next",
            "<https://h.test/?page=2&token=***>; rel=next"
        ),
    ])
    func `a secret in the value of a header field is masked`(
        name: String, value: String, expected: String
    ) {
        #expect(Redaction.default.redact(value, ofHeader: name) == expected)
    }

    @Test(arguments: [
        (#"{"log":"sent token=hush to it"}"#, #"{"log":"sent token=*** to it"}"#),
        (
            #"{"url":"https:\/\/u:hush@h.test\/?key=hush"}"#,
            #"{"url":"https://***@h.test/?key=***"}"#
        ),
        (
            #"{"body":"{\"password\":\"hush\",\"a\":1}"}"#,
            #"{"body":"{\"password\":\"***\",\"a\":1}"}"#
        ),
        (#"["\#(jwt)"]"#, #"["***"]"#), (#"{"a":"Bearer hush"}"#, #"{"a":"Bearer ***"}"#),
        (
            #"[{"name":"DB_PASSWORD","value":"hush"},{"name":"a","value":1}]"#,
            #"[{"name":"DB_PASSWORD","value":"***"},{"name":"a","value":1}]"#
        ),
        (
            #"{"key":"apiToken","value":"hush"}"#, #"{"key":"***","value":"***"}"#
        ),
        (
            #"{"webhook":"https://discord.com/api/webhooks/1/hush"}"#,
            #"{"webhook":"https://discord.com/api/webhooks/***"}"#
        ),
        (#"{"password":null,"hasToken":true,"token":false}"#, nil),
        (
            "{'password':'hush','a':{'token' : 'hush, hush'}}",
            "{'password':'***','a':{'token' : '***'}}"
        ),
        ("{'name':'a','note':'it is no secret'}", nil),
        (
            #"{"redirect":"http%3A%2F%2Fh.test%3Ftoken%3Dhush"}"#,
            #"{"redirect":"http%3A%2F%2Fh.test%3Ftoken%3D***"}"#
        ),
        (
            "{\"token\":\"hush\"}\n{\"token\":\"hush\"}\n",
            "{\"token\":\"***\"}\n{\"token\":\"***\"}\n"
        ),
    ])
    func `a secret in a value of JSON is masked`(body: String, expected: String?) {
        #expect(shown(body) == expected ?? body)
    }

    @Test(arguments: [
        ("<a><Password>hush</Password><b>1</b></a>", "<a><Password>***</Password><b>1</b></a>"),
        (
            "<?xml version=\"1.0\"?>\n<s:Token s:a='1'><x>hush</x></s:Token>",
            "<?xml version=\"1.0\"?>\n<s:Token s:a='1'>***</s:Token>"
        ),
        ("<user name='a' password='hush' id=\"1\"/>", "<user name='a' password='***' id=\"1\"/>"),
        ("<add key=\"ApiKey\" value=\"hush\"/>", "<add key=\"ApiKey\" value=\"***\"/>"),
        (
            "<input type=\"hidden\" name=\"csrf_token\" value=\"hush\">",
            "<input type=\"hidden\" name=\"csrf_token\" value=\"***\">"
        ),
        (
            "<meta name=\"csrf-token\" content=\"hush\">",
            "<meta name=\"csrf-token\" content=\"***\">"
        ),
        ("<setting name=\"password\">hush</setting>", "<setting name=\"password\">***</setting>"),
        (
            "<plist><dict><key>token</key>\n<string>hush</string><key>a</key><string>1</string></dict></plist>",
            "<plist><dict><key>token</key>\n<string>***</string><key>a</key><string>1</string></dict></plist>"
        ),
        (
            "<p:dict><p:key>token</p:key><p:string>hush</p:string></p:dict>",
            "<p:dict><p:key>token</p:key><p:string>***</p:string></p:dict>"
        ),
        ("<a href=\"?token=hush&amp;x=1\">x</a>", "<a href=\"?token=***&amp;x=1\">x</a>"),
        ("<Password><![CDATA[hush]]></Password>", "<Password>***</Password>"),
        ("<p n=\"password\" value=\"hush\"/>", "<p n=\"password\" value=\"***\"/>"),
        (
            "<a><![CDATA[<password>hush</password><b>1</b>]]></a>",
            "<a><![CDATA[<password>***</password><b>1</b>]]></a>"
        ),
        ("<![CDATA[ <password>hush</password>]]>", "<![CDATA[ <password>***</password>]]>"),
        ("<a><![CDATA[1 < 2, token=hush ]]></a>", "<a><![CDATA[1 < 2, token=*** ]]></a>"),
        ("<Password>hush", "<Password>***"), ("<Password type='x'", nil),
        ("<!-- password=hush --><a/>", "<!-- password=*** --><a/>"),
        ("<Error><Code>NoSuchKey</Code><Key>a/b</Key></Error>", nil),
    ])
    func `a secret in XML is masked`(body: String, expected: String?) {
        #expect(shown(body) == expected ?? body)
    }

    @Test(arguments: [
        ("sent token=hush next", "sent token=*** next"),
        ("failed: password: hush, again", "failed: password: ***, again"),
        ("Authorization: Bearer hush hush\r\nAccept: a\r\n", "Authorization: ***\r\nAccept: a\r\n"),
        ("Cookie: a=hush; b=hush\nA: b", "Cookie: ***\nA: b"),
        ("got Bearer hush-1.", "got Bearer ***"),
        ("key 'api_key'='hush hush' x", "key 'api_key'='***' x"), ("see \(jwt), ok", "see ***, ok"),
        (
            "https://u:hush@h.test and https://h.test/?sig=hush",
            "https://***@h.test and https://h.test/?sig=***"
        ),
        ("no secret here, token is a word", nil), ("Error code: 404, a=b", nil),
        ("12:30:59 ok", nil), ("eyjafjallajokull.volcano erupts", nil),
        ("eyJhbGciOiJI. is half of a token", nil),
        ("'secret' => 'hush', code => 404", "'secret' => '***', code => 404"),
        ("api_key   => hush", "api_key   => ***"),
        (
            "a: 1\nsecrets:\n  - hush\n  - name: hush\r\nb:\n  - 2\n",
            "a: 1\nsecrets:\n  - ***\n  - ***\r\nb:\n  - 2\n"
        ),
        ("secrets:\n- hush\n-\n--- b", "secrets:\n- ***\n-\n--- b"),
        ("ghp_0123456789abcdefghij0123456789abcdef", "***"),
        ("GHP_0123456789abcdefghij0123456789abcdef", nil),
        ("use xoxb-123456789012-hushhushhush now", "use *** now"),
        ("-----BEGIN PRIVATE KEY-----\nhush\n-----END PRIVATE KEY-----\n.", "***\n."),
        ("-----BEGIN PRIVATE KEY-----\nhush\n-----end PRIVATE KEY-----\nhush", "***"),
    ])
    func `a secret in plain text is masked`(body: String, expected: String?) {
        #expect(shown(body) == expected ?? body)
    }

    @Test func `a secret in a body that is not UTF-8 is masked`() {
        let body = Data("name=".utf8) + [0xE4] + Data("&password=hush".utf8)
        #expect(
            Redaction.default.redact(body: body) == Data("name=".utf8) + [0xE4]
                + Data("&password=***".utf8))
    }

    @Test func `a secret in text with a NUL is masked, and binary data stays unchanged`() {
        #expect(shown("a\u{0}b token=hush") == "a\u{0}b token=***")
        let bytes = Data([0x89, 0x50, 0x4E, 0x47, 0, 0xFF]) + Data(" token=hush".utf8)
        #expect(Redaction.default.redact(body: bytes) == bytes)
    }

    @Test(arguments: [
        "=", "{\"", "[{", "a=", "<a ", "token:", "\"\\", "%25", "/;a=", "%2525", "<![CDATA[",
        "secrets:\n- ", "'", "token =>", "eyJ.", "<Password>",
    ])
    func `a long repetitive text is masked without exhausting the stack`(part: String) {
        let text = String(repeating: part, count: 5_000)
        #expect(!shown(text + "&password=hush").isEmpty)
        #expect(!Redaction.default.redact(text, ofHeader: "X-A").isEmpty)
        #expect(!Redaction.default.redact(text, ofHeader: "Location").isEmpty)
    }

    @Test func `server-sent events keep their lines when secrets are masked`() {
        let events =
            "id: \(Self.jwt)\nevent: a\ndata: {\"token\":\"hush\"}\ndata: token=hush\n: password=hush\n\n"
        let expected =
            "id: ***\nevent: a\ndata: {\"token\":\"***\"}\ndata: token=***\n: password=***\n\n"
        #expect(shown(events) == expected)
    }

    @Test(arguments: ["userSecretKey", "user%53ecretKey", "%userSecretKey"])
    func `a multipart part with a secret name is masked`(name: String) {
        let part = "--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n"
        #expect(shown(part + "hush\r\n--b--\r\n") == part + "***\r\n--b--\r\n")
    }

    @Test func `masking a masked text changes nothing`() {
        let bodies = [
            "token=hush&a=1", #"{"token":"hush","b":"{\"password\":1}"}"#,
            "<Password>hush</Password>",
            "Authorization: Bearer hush\r\nX: https://u:hush@h.test/?sig=hush", "Bearer hush",
            Self.jwt,
        ]
        for body in bodies { #expect(shown(shown(body)) == shown(body)) }
        let text =
            "https://u:hush@h.test/;sid=hush?next=https%3A%2F%2Fb.test%2F%3Ftoken%3Dhush#code=hush"
        let once = Redaction.default.redact(url: url(text))
        #expect(Redaction.default.redact(url: url(once)) == once)
    }
}
