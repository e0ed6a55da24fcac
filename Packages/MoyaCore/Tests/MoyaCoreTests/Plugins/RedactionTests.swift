import Foundation
import MoyaCore
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct RedactionTests {
    @Test(arguments: [
        ("http://h.test/p?q=1", "http://h.test/p?q=1"),
        ("http://user:pass@h.test/p", "http://***@h.test/p"),
        ("http://user@h.test", "http://***@h.test"),
        ("http://h.test/?access_token=abc&q=1", "http://h.test/?access_token=***&q=1"),
        ("http://h.test/?Token=abc#frag", "http://h.test/?Token=***#frag"),
        ("http://h.test/?a=1&%70assword=x", "http://h.test/?a=1&%70assword=***"),
        ("http://h.test/?token", "http://h.test/?token"),
        (
            "http://h.test/?user%5Bpassword%5D=x&a%5Bb%5D=c",
            "http://h.test/?user%5Bpassword%5D=***&a%5Bb%5D=c"
        ),
        ("//user:pass@h.test/p", "//***@h.test/p"),
        ("user:pass@proxy.test:8080", "***@proxy.test:8080"),
        ("user:pa/ss@proxy.test:8080", "***@proxy.test:8080"),
        ("users/@me", "users/@me"),
        ("http://h.test/a@b?q=c@d", "http://h.test/a@b?q=c@d"),
        ("http://h.test:80/@x", "http://h.test:80/@x"),
        ("http://[::1]/@x", "http://[::1]/@x"),
        ("http://[::1]:80/@x", "http://[::1]:80/@x"),
        ("http://h.test/?X-Amz-Signature=deadbeef", "http://h.test/?X-Amz-Signature=***"),
        ("http://h.test/?X-Amz-Security-Token=a", "http://h.test/?X-Amz-Security-Token=***"),
        ("http://h.test/#access_token=a?b&q=1", "http://h.test/#access_token=***&q=1"),
        ("http://h.test/?q=1#/done?token=a&q=2", "http://h.test/?q=1#/done?token=***&q=2"),
    ])
    func `Redaction masks the user info and secret parameters of a URL`(
        text: String, expected: String
    ) {
        #expect(Redaction.default.redact(url: url(text)) == expected)
    }

    @Test(arguments: ["#", "?", "/", "a/#?@"])
    func `Redaction masks a password with characters that end the authority of a URL`(
        character: String
    ) {
        let text = "http://user:p\(character)ss@h.test/path?q=1"
        #expect(
            Redaction.default.redact(text, ofHeader: "Location") == "http://***@h.test/path?q=1")
        let error = MoyaError.requestMapping(text)
        #expect(!error.description.contains("ss@"))
    }

    @Test(arguments: [
        "Authorization", "proxy-authorization", "COOKIE", "Set-Cookie", "X-Api-Key",
        "PRIVATE-TOKEN",
        "X-Vault-Token", "X-Goog-Api-Key", "X-XSRF-TOKEN",
    ])
    func `Redaction masks the value of a secret header field`(name: String) {
        #expect(Redaction.default.redact("secret", ofHeader: name) == "***")
        #expect(Redaction.none.redact("secret", ofHeader: name) == "secret")
    }

    @Test(arguments: ["Location", "content-location", "Referer"])
    func `Redaction masks the secrets of a URL in Location, Content-Location and Referer`(
        name: String
    ) {
        let value = "https://user:pass@h.test/done?q=1&code=abc#token=def"
        #expect(
            Redaction.default.redact(value, ofHeader: name)
                == "https://***@h.test/done?q=1&code=***#token=***")
        #expect(Redaction.none.redact(value, ofHeader: name) == value)
        #expect(Redaction.default.redact("/done?code=abc", ofHeader: name) == "/done?code=***")
    }

    @Test func `Redaction masks the secrets of URLs in a Link header field`() {
        let value =
            #"<https://u:p@h.test/?token=a&page=2>; rel="next", </?key=b>; rel=last, <?code=c"#
        #expect(
            Redaction.default.redact(value, ofHeader: "Link")
                == #"<https://***@h.test/?token=***&page=2>; rel="next", </?key=***>; rel=last, <?code=***"#
        )
    }

    @Test func `Redaction keeps header fields without secrets`() {
        #expect(
            Redaction.default.redact(headers: ["Accept": "a", "Cookie": "b"]) == [
                "Accept": "a", "Cookie": "***",
            ])
    }

    @Test func `Redaction shows a field in visibleNames unless headerNames has the field`() {
        var redaction = Redaction.default
        redaction.visibleNames = ["code", "x-token"]
        #expect(redaction.redact("seen", ofHeader: "X-Token") == "seen")
        #expect(
            redaction.redact(url: url("https://h.test/?code=1&key=2"))
                == "https://h.test/?code=1&key=***")
        redaction.headerNames.insert("x-token")
        #expect(redaction.redact("s", ofHeader: "X-Token") == "***")
    }

    @Test func `Redaction masks a header field added to headerNames`() {
        var redaction = Redaction.default
        redaction.headerNames.insert("x-tenant")
        #expect(redaction.redact("s", ofHeader: "X-Tenant") == "***")
    }

    @Test(
        arguments: [
            ("X-Shopify-Access-Token", true), ("Ocp-Apim-Subscription-Key", true),
            ("X-Client-Secret", true), ("X-Ms-Authorization-Auxiliary", true),
            ("X-Next-Page-Token", false), ("Idempotency-Key", false), ("Accept", false),
        ])
    func `Redaction masks fields named like secrets, unless hidesSensitiveNames is false`(
        name: String, isSecret: Bool
    ) {
        #expect(Redaction.default.redact("s", ofHeader: name) == (isSecret ? "***" : "s"))
        var redaction = Redaction.default
        redaction.hidesSensitiveNames = false
        #expect(redaction.redact("s", ofHeader: name) == "s")
    }
}

@Suite struct BodyRedactionTests {
    private func shown(_ body: String, _ redaction: Redaction = .default) -> String {
        String(decoding: redaction.redact(body: Data(body.utf8)), as: UTF8.self)
    }

    static let forms = [
        (
            "user=ash&password=open%20sesame&client_secret=x",
            "user=ash&password=***&client_secret=***"
        ),
        ("PASSWORD=x", "PASSWORD=***"), ("p%61ssword=x&a", "p%61ssword=***&a"),
        (
            "user[password]=x&a[b][token]=y&token[]=z&a[b]=c",
            "user[password]=***&a[b][token]=***&token[]=***&a[b]=c"
        ),
        ("token=a?b=c", "token=***"), ("no secret here, token is a word", nil), ("a=b&c=d", nil),
        ("<token>x</token>", "<token>***</token>"),
    ]

    @Test(arguments: forms)
    func `Redaction masks the secret fields of a form body`(body: String, expected: String?) {
        #expect(shown(body) == expected ?? body)
        #expect(shown(body, .none) == body)
    }

    static let documents: [(String, String?)] = [
        (#"{"user":"ash","password":"open"}"#, #"{"user":"ash","password":"***"}"#),
        (#"{"Password" : "a\"b,}" , "n":1}"#, #"{"Password" : "***" , "n":1}"#),
        (#"{"deep":[{"clientSecret":"x"},2]}"#, #"{"deep":[{"clientSecret":"***"},2]}"#),
        (#"{"token":{"a":["]}",1]},"b":2}"#, #"{"token":{"a":["***",0]},"b":2}"#),
        (#"{"token":["a"],"b":2}"#, #"{"token":["***"],"b":2}"#),
        (#"[{"pin":1234},{"pin": -1.5e3}]"#, #"[{"pin":0},{"pin": 0}]"#),
        (#"[{"code":1234},{"key":-1.5e3}]"#, nil),
        (#"[{"code":"1234"},{"key":"a"}]"#, #"[{"code":"***"},{"key":"***"}]"#),
        (
            #"{"session": {"id" : 7, "user":{"n":"a\"}"}, "on":true,"x":[ null ,[]]}, "b":2}"#,
            #"{"session": {"id" : 0, "user":{"n":"***"}, "on":true,"x":[ null ,[]]}, "b":2}"#
        ),
        (#"{"token":abc,"b":2}"#, #"{"token":"***","b":2}"#),
        (#"{"token":12ab"c d"}"#, #"{"token":"***""***"}"#),
        (#"{"token":[a b,{c:1}],"b":2}"#, #"{"token":["***" "***",{"***"}],"b":2}"#),
        (#"{"token":{"a":["cut off"#, #"{"token":{"a":["***""#),
        (#"{"pass\u0077ord":"x"}"#, #"{"pass\u0077ord":"***"}"#),
        (#" {"token":"cut off"#, #" {"token":"***""#), (#"{"token":"#, #"{"token":"***""#),
        (
            ": hi\r\nevent: a\r\ndata: {\"token\":\"x\",\r\ndata:\"pin\":1}\r\n\r\ndata: 5\" {\n",
            ": hi\r\nevent: a\r\ndata: {\"token\":\"***\",\r\ndata:\"pin\":0}\r\n\r\ndata: 5\" {\n"
        ),
        (String(repeating: "data:", count: 50_000), nil),
        (#"{"say":"password","b":"token"}"#, nil), (#"["token","x"]"#, nil), (#"{"a":"\"#, nil),
        (#"{"#, nil), (#"[[[["#, nil),
        (#"{"a":"\"token\":1"}"#, #"{"a":"\"token\":0"}"#),
    ]

    @Test(arguments: documents)
    func `Redaction masks the secret members of a JSON body, complete or truncated`(
        body: String, expected: String?
    ) {
        #expect(shown(body) == expected ?? body)
        #expect(shown(body, .none) == body)
    }

    @Test(arguments: ["\u{FEFF}", ")]}',\n", ")]}'\r\n", "while(1);", "for (;;);", "\u{FEFF} "])
    func `Redaction masks secret JSON members after a byte order mark or a guard prefix`(
        prefix: String
    ) {
        let body = Data((prefix + #"[{"token":1}]"#).utf8)
        let expected = Data((prefix + #"[{"token":0}]"#).utf8)
        #expect(Redaction.default.redact(body: body) == expected)
    }
}
