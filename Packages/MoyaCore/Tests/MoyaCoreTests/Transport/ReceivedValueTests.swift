import Foundation
import MoyaCore
import Testing

@Suite struct ReceivedValueTests {
    @Test(arguments: [
        "\"\"", "\"a\"", "W/\"a\"", "\"a,b\"", "\"!#~\"", "\"\u{E9}\"", "W/\"\"",
        "\"" + String(repeating: "a", count: 4094) + "\"",
    ])
    func `a valid entity tag is sent back unchanged`(tag: String) {
        #expect(ReceivedValue.entityTag(tag) == tag)
    }

    @Test(arguments: [
        "", "a", "\"", "*", "W/", "W/*", "W/\"", "w/\"a\"", "\"a", "a\"", "\"a\"b\"", "\"a b\"",
        "\"a\tb\"", "\"a\u{1}b\"", "\"a\u{7F}b\"", "\"a\", \"b\"", " \"a\"", "\"a\" ", "\"a\"\r\n",
        "\"" + String(repeating: "a", count: 4095) + "\"",
    ])
    func `an invalid entity tag is not sent back`(tag: String) {
        #expect(ReceivedValue.entityTag(tag) == nil)
    }

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994",
    ])
    func `a valid HTTP date is sent back unchanged`(date: String) {
        #expect(ReceivedValue.date(date) == date)
    }

    @Test(arguments: [
        "", "now", "784111777", "\u{1}, 06 Nov 1994 08:49:37 GMT", "é, 06 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 GMT\r\nA: b", "Sun, 32 Nov 1994 08:49:37 GMT",
    ])
    func `an invalid HTTP date is not sent back`(date: String) {
        #expect(ReceivedValue.date(date) == nil)
    }

    @Test(arguments: ["a", "a b", "a\tb", "€", String(repeating: "a", count: 4096)])
    func `text that a header field may hold is sent back unchanged`(text: String) {
        #expect(ReceivedValue.field(text) == text)
    }

    @Test(arguments: [
        "", " ", " a", "a ", "a\t", "a\u{1}", "a\rb", "a\nb", "a\u{0}", "a\u{7F}",
        String(repeating: "a", count: 4097),
    ])
    func `text that is invalid or too long for a header field is not sent back`(text: String) {
        #expect(ReceivedValue.field(text) == nil)
    }

    @Test func `an access token is sent only if all its characters are printable ASCII`() {
        #expect(ReceivedValue.authorization(scheme: "Bearer", token: "a.b") == "Bearer a.b")
        let long = String(repeating: "a", count: 50_000)
        #expect(ReceivedValue.authorization(scheme: "Bearer", token: long) != nil)
        for token in ["", "a\r\nb", "a\u{0}", "a\u{1F}b", "ä", "\u{7F}"] {
            #expect(ReceivedValue.authorization(scheme: "Bearer", token: token) == nil)
        }
        #expect(ReceivedValue.authorization(scheme: "Bear\u{1}er", token: "a") == nil)
    }

    @Test(
        arguments: [
            ("/b", "http://a.test/b"), ("b", "http://a.test/x/b"), ("../b", "http://a.test/b"),
            ("?q", "http://a.test/x/y?q"), ("//b.test/c", "http://b.test/c"),
            ("https://b.test:8443/c", "https://b.test:8443/c"),
            ("http://u:p@b.test/", "http://b.test/"), ("HTTP://b.test/", "HTTP://b.test/"),
            ("http://u:p@b.test/é%2F?a[]=%5B", "http://b.test/%C3%A9%2F?a%5B%5D=%5B"),
        ])
    func `a URI reference resolves to an http or https URL without user info`(
        reference: String, expected: String
    ) {
        let found = ReceivedValue.url(reference, relativeTo: url("http://a.test/x/y"))
        #expect(found?.absoluteString == expected)
    }

    @Test(arguments: [
        "", "ftp://b.test/", "file:///etc/passwd", "data:,x", "mailto:a@b", "http:", "http://",
        "http:///x", "http://b.test:0/", "http://b.test:65536/", "javascript:alert(1)",
    ])
    func `a URI reference that does not resolve to a valid http URL is refused`(reference: String) {
        #expect(ReceivedValue.url(reference, relativeTo: url("http://a.test/x/y")) == nil)
    }

    @Test func `control characters in a URI reference are percent-encoded or refused`() throws {
        for scalar in (1...0x1F).compactMap(UnicodeScalar.init) {
            let found = ReceivedValue.url("/a\(scalar)b", relativeTo: url("http://a.test/x/y"))
            let text = try #require(found?.absoluteString, "\(scalar.value)")
            #expect(text.utf8.allSatisfy { (0x21...0x7E).contains($0) })
        }
    }
}
