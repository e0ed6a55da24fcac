import Foundation
@_spi(MoyaInternals) import MoyaCore
import Testing

@Suite struct ResponseHeadTests {
    private func head(_ raw: String) -> ResponseHead {
        ResponseHead(
            statusCode: 200, url: url("http://a.test"), httpVersion: "HTTP/1.1",
            rawFields: Data(raw.utf8))
    }

    private func fields(_ raw: String) -> [HeaderField] { head(raw).fields }

    static let lines: [(String, [HeaderField])] = [
        ("HTTP/1.1 200 OK\r\nA: b\r\n\r\n", [HeaderField(name: "A", value: "b")]),
        ("A: b\nC: d\n", [HeaderField(name: "A", value: "b"), HeaderField(name: "C", value: "d")]),
        ("A:b", [HeaderField(name: "A", value: "b")]),
        ("A: \t b \t \r\n", [HeaderField(name: "A", value: "b")]),
        ("A:\r\n", [HeaderField(name: "A", value: "")]),
        ("A: b:c\r\n", [HeaderField(name: "A", value: "b:c")]),
        ("no colon\r\n: no name\r\nA: b", [HeaderField(name: "A", value: "b")]), ("", []),
        ("\r\n\r\n", []),
        ("A: Grüße", [HeaderField(name: "A", value: "Grüße")]),
        (
            "A: b\r\n c: d\r\n\te\r\nF: g\r\n",
            [HeaderField(name: "A", value: "b c: d e"), HeaderField(name: "F", value: "g")]
        ),
        ("A:\r\n b\r\n \r\n", [HeaderField(name: "A", value: "b")]),
        (" folded onto nothing\r\nA: b", [HeaderField(name: "A", value: "b")]),
        ("HTTP/1.1 200 OK: x\r\nA: b\r\n", [HeaderField(name: "A", value: "b")]),
        ("HTTP/1.1 200 OK: x\r\n folded\r\nA: b\r\n", [HeaderField(name: "A", value: "b")]),
        ("A: b\r\nno name: c\r\n d\r\n\te\r\n", [HeaderField(name: "A", value: "b")]),
        ("A: b\r\nnone\r\n d: e\r\n", [HeaderField(name: "A", value: "b")]),
        ("A \t : b\r\n c\r\n", [HeaderField(name: "A", value: "b c")]),
        (" \t : b\r\n : c\r\n", []), ("A\u{0}: b\r\nB(c): d\r\nÄ: e\r\n", []),
    ]

    @Test(arguments: lines)
    func `ResponseHead parses raw header lines, also folded and malformed lines`(
        raw: String, expected: [HeaderField]
    ) {
        #expect(fields(raw) == expected)
    }

    @Test(arguments: lines)
    func `ResponseHead finds the fields of a name before and after all fields are parsed`(
        raw: String, expected: [HeaderField]
    ) {
        for name in ["a", "F", "C", "no name", "B(c)", "HTTP/1.1 200 OK", ""] {
            let values = expected.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
            let head = head(raw)
            #expect(head.values(for: name) == values)
            #expect(head.fields == expected)
            #expect(head.values(for: name) == values)
        }
    }

    @Test(arguments: lines, [false, true])
    func `a field appended to a head follows its own fields, whether they are parsed or not`(
        row: (raw: String, expected: [HeaderField]), isParsed: Bool
    ) {
        let head = head(row.raw)
        if isParsed { _ = head.fields }
        let field = HeaderField(name: "Cache-Status", value: "Moya; hit")
        let appended = head.appending(field)
        #expect(appended.values(for: "cache-status") == ["Moya; hit"])
        #expect(appended.fields == row.expected + [field])
        #expect(head.fields == row.expected)
    }

    @Test func `a Set-Cookie field with white space before the colon is known as a secret`() {
        let head = ResponseHead(
            statusCode: 200, url: url("http://a.test"), httpVersion: "HTTP/1.1",
            rawFields: Data("Set-Cookie : sid=1\r\n".utf8))
        #expect(head.values(for: "Set-Cookie") == ["sid=1"])
        let name = head.fields.first?.name.lowercased() ?? ""
        #expect(Redaction.default.isSecretHeader(name))
    }

    @Test func `header fields whose names differ in case are joined in HTTPURLResponse`() throws {
        let head = ResponseHead(
            statusCode: 200, url: url("http://a.test"),
            fields: ["X-Tag", "x-tag", "X-TAG"].map { HeaderField(name: $0, value: "of \($0)") })
        let response = try #require(head.urlResponse)
        #expect(response.value(forHTTPHeaderField: "x-tag") == "of X-Tag, of x-tag, of X-TAG")
    }

    @Test func `a header value that is not UTF-8 is read as ISO 8859-1`() {
        let raw = Data("A: ".utf8) + Data([0xE9]) + Data("x\r\nB: c".utf8)
        let head = ResponseHead(
            statusCode: 200, url: url("http://a.test"), httpVersion: "", rawFields: raw)
        #expect(head.value(for: "B") == "c")
        #expect(head.value(for: "A") == "éx")
    }

    // Python's `http.client` decodes these values to the same text, without trying UTF-8 first.
    @Test(
        arguments: [
            ([0x63, 0x61, 0x66, 0xE9], "café"), ([0x63, 0x61, 0x66, 0xC3, 0xA9], "café"),
            ([0xA0, 0x61, 0x85], "\u{A0}a\u{85}"), ([0xC3, 0xA9, 0xE9], "Ã©é"),
            ([0xF0, 0x9F, 0x90], "ð\u{9F}\u{90}"), ([0x0C, 0x61, 0x0B], "\u{C}a\u{B}"),
            ([0x61, 0x0D, 0x62], "a b"), ([0x61, 0x00, 0x62], "a b"), ([0x0D, 0x61, 0x0D], "a"),
        ] as [([UInt8], String)])
    func `a header value in ISO 8859-1 keeps every byte except CR and NUL`(
        bytes: [UInt8], expected: String
    ) {
        for end in ["\r\n", "\n"] {
            let raw = Data("HTTP/1.1 200\(end)A: ".utf8) + Data(bytes) + Data("\(end)B: c".utf8)
            let head = ResponseHead(
                statusCode: 200, url: url("http://a.test"), httpVersion: "", rawFields: raw)
            #expect(
                head.fields == [.init(name: "A", value: expected), .init(name: "B", value: "c")])
        }
    }

    @Test func `ResponseHead finds fields by names in any case and joins repeated fields`() {
        let head = ResponseHead(
            statusCode: 200, url: url("http://a.test"), httpVersion: "HTTP/2",
            rawFields: Data("Vary: a\r\nset-cookie: x=1\r\nvary: b\r\nSet-Cookie: y=2\r\n".utf8))
        #expect(head.value(for: "VARY") == "a, b")
        #expect(head.values(for: "Set-Cookie") == ["x=1", "y=2"])
        #expect(head.value(for: "Missing") == nil)
        #expect(head.urlResponse?.statusCode == 200)
        #expect(head.urlResponse?.value(forHTTPHeaderField: "Vary") != nil)
        #expect(head.urlResponse === head.urlResponse)
    }
}
