import Foundation
import MoyaCore
import MoyaInternals
import MoyaTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A delimiter before U+0301 is part of another `Character`, but protocols see its byte.
@Suite struct CombiningMarkTests {
    /// Returns the `Authorization` field that answers `challenge`.
    private func answer(to challenge: String, user: String) async throws -> String? {
        var request = TransportRequest(URLRequest(url: url("http://h.test/a")))
        request.credential = URLCredential(user: user, password: "secret", persistence: .none)
        let answers = Recorder<String>()
        _ = try await request.answeringChallenges(AuthenticationCache()) { request in
            let answer = request.urlRequest.value(forHTTPHeaderField: "Authorization")
            if let answer { answers.record(answer) }
            return TransportResponse(
                head: ResponseHead(
                    statusCode: answer == nil ? 401 : 200, url: url("http://h.test/a"),
                    fields: [HeaderField(name: "WWW-Authenticate", value: challenge)]))
        }
        return answers.items.first
    }

    /// RFC 9110, section 5.6.4: a quotation mark inside a quoted string is escaped.
    @Test func `a Digest answer escapes a quotation mark before a combining mark in its realm`()
        async throws
    {
        let challenge = #"Digest realm="\"\#u{301}, uri=", nonce="n""#
        let answer = try #require(try await answer(to: challenge, user: "u"))
        #expect(answer.utf8.split(separator: UInt8(ascii: "\\")).count == 2, "\(answer)")
    }

    /// RFC 7617, section 2: a user name with a colon cannot be sent.
    @Test func `a user name with a colon before a combining mark is not sent by Basic`()
        async throws
    {
        let answer = try await answer(to: "Basic realm=r", user: "a:\u{301}b")
        #expect(answer == nil)
    }

    /// RFC 3986, section 3.3: a segment ends at a slash.
    @Test func `a dot segment before a slash with a combining mark is found`() {
        #expect(PercentEncoding.dotSegment(in: "/a/../\u{301}b") == "..")
        #expect(PercentEncoding.dotSegment(in: "/a/?\u{301}/../b") == nil)
    }

    @Test func `the nonce of a challenge is masked after a quoted string with a combining mark`() {
        let challenge = "Digest realm=\"r\"\u{301}, nonce=\"hush\", qop=\"a\"\u{301}"
        let shown = Redaction.default.redact(challenge, ofHeader: "WWW-Authenticate")
        #expect(!shown.contains("hush"), "\(shown)")
    }

    @Test(arguments: [
        "a=1&\u{301}password=hush", "a=1&password=\u{301}hush", "a=1;\u{301}token=hush",
        "password:\u{301} hush", "{\"password\":\"\u{301}hush\"}", "<a>\u{301}<password>hush",
    ])
    func `a secret beside a delimiter with a combining mark is masked in a body`(body: String) {
        let shown = Redaction.default.redact(body: Data(body.utf8))
        #expect(!String(decoding: shown, as: UTF8.self).contains("hush"))
    }

    @Test(arguments: [
        "https://h.test/?a=1&\u{301}b=1&token=hush", "https://h.test/#\u{301}&token=hush",
        "https://u:hush@\u{301}h.test/", "https://h.test/?\u{301}&token=hush",
        "https://h.test/a;\u{301}x;sid=hush/b", "https://h.test/?token=\u{301}hush",
    ])
    func `a secret beside a delimiter with a combining mark is masked in an address`(
        address: String
    ) {
        let shown = Redaction.default.redact(address, ofHeader: "Location")
        #expect(!shown.contains("hush"), "\(shown)")
    }

    /// RFC 9110, section 8.8.3.2: tags are compared character by character, not by their meaning.
    @Test func `entity tags and header values in different encodings are different`() throws {
        let (one, two) = ("\"\u{e9}\"", "\"e\u{301}\"")
        #expect(try #require(EntityTag(one)) != #require(EntityTag(two)))
        let keys = [one, two, one].map { value in
            var request = URLRequest(url: url("http://h.test/"))
            request.setValue(value, forHTTPHeaderField: "X-User")
            return RequestKey(request, body: nil, limit: 0, context: 0)
        }
        #expect(keys[0] != keys[1])
        #expect(keys[0] == keys[2])
    }
}
