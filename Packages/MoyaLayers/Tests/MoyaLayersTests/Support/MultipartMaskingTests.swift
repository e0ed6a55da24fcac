import Foundation
import MoyaCore
import Testing

/// Masking of multipart forms in logs and archives.
@Suite struct MultipartMaskingTests {
    private static func form(_ parts: [(fields: String, content: String)]) -> String {
        parts.map { "--b0undary\r\n\($0.fields)\r\n\r\n\($0.content)\r\n" }.joined()
            + "--b0undary--\r\n"
    }

    private static func shown(_ body: String) -> String {
        String(decoding: Redaction.default.redact(body: Data(body.utf8)), as: UTF8.self)
    }

    @Test(arguments: [
        "Content-Disposition: form-data; name=\"password\"",
        "content-disposition: form-data; filename=\"a\"; NAME=\"Password\"",
        "Content-Type: text/plain\r\nContent-Disposition: form-data;name=password",
        "Content-Disposition: form-data; name=\"user[password]\"",
        "Content-Disposition: form-data; name=\"p\\assword\"; filename=\"x\"",
    ])
    func `only the content of a secret multipart part is masked`(fields: String) {
        let open = "Content-Disposition: form-data; name=\"city\"; filename=\"name=password\""
        let body = Self.form([(open, "Bonn"), (fields, "hush\r\n--hush"), (open, "Köln")])
        let expected = Self.form([(open, "Bonn"), (fields, "***"), (open, "Köln")])
        #expect(Self.shown(body) == expected)
        let unix = body.replacingOccurrences(of: "\r\n", with: "\n")
        #expect(Self.shown(unix) == expected.replacingOccurrences(of: "\r\n", with: "\n"))
    }

    @Test func `secret members of JSON in a multipart part are masked`() {
        let fields = "Content-Disposition: form-data; name=\"user\""
        #expect(
            Self.shown(Self.form([(fields, #"{"token":"hush","a":1}"#)]))
                == Self.form([(fields, #"{"token":"***","a":1}"#)]))
    }

    @Test func `a multipart form cut off at any byte shows no secret`() {
        let fields = "Content-Disposition: form-data; name=\"token\""
        let body = Self.form([(fields, "hush-hush"), (fields, "hush")])
        for count in 0..<body.utf8.count {
            let cut = String(decoding: body.utf8.prefix(count), as: UTF8.self)
            #expect(!Self.shown(cut).contains("hus"), "after \(count) bytes")
        }
    }

    @Test(arguments: ["--", "--\n", "---\ntitle: a\n---\n\ntext", "-- a\n\nname=password", "\r\n"])
    func `text that looks like a multipart form stays unchanged`(body: String) {
        #expect(Self.shown(body) == body)
    }

    @Test func `binary data in a multipart part stays unchanged`() {
        let head = "--b\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\n"
        let body = Data(head.utf8) + Data((0...255).map { UInt8($0) }) + Data("\r\n--b--".utf8)
        #expect(Redaction.default.redact(body: body) == body)
        #expect(Redaction.none.redact(body: body) == body)
    }
}
