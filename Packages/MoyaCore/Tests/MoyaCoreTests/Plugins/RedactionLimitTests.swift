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

    @Test(arguments: ["name=password", "name=password; filename=x", "name=\"password\""])
    func `The content of a part with a secret name is masked`(name: String) {
        let head = "--b\r\nContent-Disposition: form-data; \(name)\r\n\r\n"
        let shown = Redaction.default.redact(body: Data((head + "hush\r\n--b--\r\n").utf8))
        #expect(String(decoding: shown, as: UTF8.self) == head + "***\r\n--b--\r\n")
    }
}
