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
        ("http://h.test/a@b?q=c@d", "http://h.test/a@b?q=c@d"),
        ("http://h.test/?X-Amz-Signature=deadbeef", "http://h.test/?X-Amz-Signature=***"),
    ])
    func `masks the secrets of a URL`(text: String, expected: String) {
        #expect(Redaction.default.redact(url: url(text)) == expected)
    }

    @Test(arguments: ["Authorization", "proxy-authorization", "COOKIE", "Set-Cookie", "X-Api-Key"])
    func `masks the secret header field`(name: String) {
        #expect(Redaction.default.redact("secret", ofHeader: name) == "***")
        #expect(Redaction.none.redact("secret", ofHeader: name) == "secret")
    }

    @Test func `leaves other header fields alone`() {
        #expect(
            Redaction.default.redact(headers: ["Accept": "a", "Cookie": "b"]) == [
                "Accept": "a", "Cookie": "***",
            ])
    }

    @Test func `can be told of more secrets`() {
        var redaction = Redaction.default
        redaction.headerNames.insert("x-tenant-secret")
        #expect(redaction.redact("s", ofHeader: "X-Tenant-Secret") == "***")
    }
}

@Suite struct CURLDescriptionTests {
    @Test func `writes the whole command, secrets masked`() {
        var request = URLRequest(url: url("https://user:pass@h.test/p?token=abc&q=it's"))
        request.httpMethod = "POST"
        request.allHTTPHeaderFields = ["Authorization": "Bearer abc", "Accept": "it's"]
        request.httpBody = Data("a='b'".utf8)
        #expect(
            request.cURLDescription() == """
                curl -v \\
                \t'https://***@h.test/p?token=***&q=it'\\''s' \\
                \t-X 'POST' \\
                \t-H 'Accept: it'\\''s' \\
                \t-H 'Authorization: ***' \\
                \t--data-raw 'a='\\''b'\\'''
                """)
    }

    @Test func `shows everything when it is told to`() {
        var request = URLRequest(url: url("https://h.test/?token=abc"))
        request.setValue("Bearer abc", forHTTPHeaderField: "Authorization")
        let command = request.cURLDescription(redaction: .none)
        #expect(command.contains("'Authorization: Bearer abc'"))
        #expect(command.contains("token=abc"))
    }

    @Test(arguments: [Data([0xFF, 0xFE]), Data([0x61, 0])])
    func `leaves out a body that is no text`(body: Data) {
        var request = URLRequest(url: url("https://h.test/"))
        request.httpBody = body
        #expect(request.cURLDescription().hasSuffix("--data-binary @- # 2 bytes that are not text"))
    }
}
