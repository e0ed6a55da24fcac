import Foundation
import MoyaCore
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct RedactionLimitTests {
    /// Returns a URL with `count` URLs nested in its query.
    private func address(nested count: Int) throws -> URL {
        var text = "https://h.test/?u=1"
        for _ in 0..<count {
            let value = try #require(
                text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
            text = "https://h.test/?u=\(value)"
        }
        return try #require(URL(string: text))
    }

    @Test func `Seven nested URLs without a secret are printed unchanged`() throws {
        let url = try address(nested: 7)
        #expect(Redaction.default.redact(url: url) == url.absoluteString)
    }

    @Test func `The value at the eighth level of nested URLs is masked even without a secret`()
        throws
    {
        let url = try address(nested: 8)
        #expect(Redaction.default.redact(url: url).hasSuffix("***"))
    }

    @Test func `The value of a name-value pair is masked if its 255-byte name contains password`() {
        let name = String(repeating: "x", count: 246) + "-password"
        let shown = Redaction.default.redact(text: #"{"name":"\#(name)","value":"hush"}"#)
        #expect(shown == #"{"name":"\#(name)","value":"***"}"#)
    }

    @Test func `The value of a nested parameter is masked if queryNames has the name in brackets`()
    {
        let redaction = Redaction(headerNames: [], queryNames: ["tint"])
        let shown = redaction.redact(url: url("http://h.test/?user%5Btint%5D=red&size=1"))
        #expect(shown == "http://h.test/?user%5Btint%5D=***&size=1")
    }

    @Test(arguments: [
        ("sent Bearer c2VjcmV0c2VjcmV0c2VjcmV0== to h", "sent Bearer *** to h"),
        (
            "got Bearer realm=\"internal-services\" of h",
            "got Bearer realm=\"internal-services\" of h"
        ),
    ])
    func `A Bearer token with padding is masked, but a parameter of a Bearer challenge is not`(
        text: String, expected: String
    ) {
        #expect(Redaction.default.redact(text: text) == expected)
    }

    @Test func `A secret in a form is masked up to the next ampersand`() {
        #expect(
            Redaction.default.redact(text: "password=one two, three&q=1") == "password=***&q=1")
    }

    /// RFC 2046, section 5.1.1: white space may follow the boundary.
    @Test func `A multipart boundary may be followed by a tab`() {
        func part(_ content: String) -> String {
            "Content-Disposition: form-data; name=\(content)\r\n"
        }
        let body =
            "--b\t\r\n" + part("password\r\n\r\nhush") + "--b\r\n" + part("a\r\n\r\n1") + "--b--"
        let shown = Redaction.default.redact(body: Data(body.utf8))
        #expect(
            String(decoding: shown, as: UTF8.self)
                == body.replacingOccurrences(of: "hush", with: "***"))
    }

    /// Returns JSON whose string is JSON, `count` times.
    private func json(nested count: Int) throws -> String {
        var text = #"{"size":"of a door"}"#
        for _ in 0..<count {
            text = String(decoding: try JSONEncoder().encode(["a": text]), as: UTF8.self)
        }
        return text
    }

    @Test func `Seven nested JSON texts without a secret are printed unchanged`() throws {
        let text = try json(nested: 7)
        #expect(Redaction.default.redact(text: text) == text)
    }

    @Test func `The string at the eighth level of nested JSON is masked even without a secret`()
        throws
    {
        let shown = Redaction.default.redact(text: try json(nested: 8))
        #expect(shown.contains("***") && !shown.contains("door"))
    }

    @Test(arguments: ["name=password", "name=password; filename=x", "name=\"password\""])
    func `The content of a part with a secret name is masked`(name: String) {
        let head = "--b\r\nContent-Disposition: form-data; \(name)\r\n\r\n"
        let shown = Redaction.default.redact(body: Data((head + "hush\r\n--b--\r\n").utf8))
        #expect(String(decoding: shown, as: UTF8.self) == head + "***\r\n--b--\r\n")
    }
}
