import Foundation
import MoyaCore
import Testing

@testable import MoyaMultipart

@Suite struct PartHeadTests {
    private func disposition(name: String, fileName: String? = nil) throws -> String? {
        let part = MultipartFormBodyPart(provider: .data(Data()), name: name, fileName: fileName)
        return try PartHead(of: part, in: .form, nested: nil).disposition
    }

    /// Expected escapes, from the web platform tests.
    static let names: [(String, name: String, fileName: String)] = [
        ("plain", "plain", "plain"),
        ("", "", ""),
        (#"a"b"#, "a%22b", "a%22b"),
        ("a\rb", "a%0D%0Ab", "a%0Db"),
        ("a\nb", "a%0D%0Ab", "a%0Ab"),
        ("a\r\nb", "a%0D%0Ab", "a%0D%0Ab"),
        ("a\n\rb", "a%0D%0A%0D%0Ab", "a%0A%0Db"),
        ("a\r\r\n\nb", "a%0D%0A%0D%0A%0D%0Ab", "a%0D%0D%0A%0Ab"),
        (#"C:\dir\"; x="1"#, #"C:\dir\%22; x=%221"#, #"C:\dir\%22; x=%221"#),
        ("100% %22", "100% %22", "100% %22"),
        ("日本語 naïve 🐈", "日本語 naïve 🐈", "日本語 naïve 🐈"),
    ]

    @Test(arguments: names)
    func `part names are escaped as browsers escape them`(
        text: String, name: String, fileName: String
    ) throws {
        #expect(
            try disposition(name: text, fileName: text)
                == "form-data; name=\"\(name)\"; filename=\"\(fileName)\"")
    }

    @Test func `a file part has the file's name and its media type`() throws {
        func head(_ path: String, _ fileName: String? = nil, _ mimeType: String? = nil) throws
            -> PartHead
        {
            let part = MultipartFormBodyPart(
                provider: .file(URL(fileURLWithPath: path)), name: "f", fileName: fileName,
                mimeType: mimeType)
            return try PartHead(of: part, in: .form, nested: nil)
        }
        #expect(try head("/a/b.pdf").disposition == #"form-data; name="f"; filename="b.pdf""#)
        #expect(try head("/a/b.pdf").contentType == "application/pdf")
        #expect(try head("/a/b.tar.GZ").contentType == "application/gzip")
        #expect(try head("/a/b").contentType == "application/octet-stream")
        #expect(try head("/a.txt/b").contentType == "application/octet-stream")
        #expect(try head("/a/b", "c.webp").contentType == "image/webp")
        #expect(try head("/a/b.pdf", "c.webp").contentType == "application/pdf")
        #expect(try head("/a/b.pdf", "c.webp").disposition?.hasSuffix(#""c.webp""#) == true)
        #expect(try head("/a/b.pdf", nil, "text/x").contentType == "text/x")
        #expect(try head("/a/b.pdf", nil, "").contentType == nil)
    }

    @Test func `a data part has no content type unless one is given`() throws {
        let part = MultipartFormBodyPart(provider: .data(Data()), name: "n", fileName: "a.png")
        #expect(try PartHead(of: part, in: .form, nested: nil).contentType == nil)
    }

    @Test(arguments: ["text/plain\r\nX: y", "text/plain\n", "a\rb", "a\0", "a\u{7F}"])
    func `a part's content type with control characters is an error`(type: String) {
        let part = MultipartFormBodyPart(provider: .data(Data()), name: "n", mimeType: type)
        #expect(throws: MultipartFormError.mimeType(type, of: "n")) {
            try PartHead(of: part, in: .form, nested: nil)
        }
    }

    @Test(arguments: [("X", "a\r\nY: b"), ("X Y", "a"), ("X:", "a"), ("", "a"), ("X\r\nY", "a")])
    func `an invalid header field of a part is an error`(name: String, value: String) {
        let part = MultipartFormBodyPart(
            provider: .data(Data()), name: "n", headers: [HeaderField(name: name, value: value)])
        #expect(throws: MultipartFormError.header(name, of: "n")) {
            try PartHead(of: part, in: .form, nested: nil)
        }
    }

    @Test(arguments: ["content-type", "Content-Disposition"])
    func `a part's header field that is derived from its properties is an error`(name: String) {
        let part = MultipartFormBodyPart(
            provider: .data(Data()), name: "n", headers: [HeaderField(name: name, value: "x")])
        #expect(throws: MultipartFormError.ownHeader(name, of: "n")) {
            try PartHead(of: part, in: .form, nested: nil)
        }
    }

    @Test func `each file extension has one media type`() {
        let lines = MIMETypeTable.text.split(separator: "\n").map { $0.split(separator: " ") }
        let extensions = lines.flatMap { $0.dropFirst() }
        #expect(Dictionary(grouping: extensions, by: \.self).filter { $1.count > 1 }.isEmpty)
        #expect(lines.allSatisfy { $0[0].split(separator: "/").count == 2 && $0.count > 1 })
    }
}

@Suite struct BoundaryTests {
    @Test func `a boundary is quoted in the content type where necessary`() throws {
        #expect(try Boundary("a-b").contentType("form-data") == "multipart/form-data; boundary=a-b")
        #expect(try Boundary("a:b").contentType("mixed") == #"multipart/mixed; boundary="a:b""#)
    }

    @Test(arguments: ["", " ", "a ", "a\r\nb", "a\"b", "ä", String(repeating: "a", count: 71)])
    func `an invalid boundary of a form is an error`(text: String) {
        #expect(throws: MultipartFormError.boundary(text)) { try Boundary(text) }
        #expect(throws: MultipartFormError.boundary(text)) {
            try MultipartPlan(
                MultipartFormData(
                    boundary: text, parts: [.init(provider: .data(Data()), name: "a")]))
        }
    }

    @Test func `a nested and an outer boundary are an error if one starts with the other`() {
        for (outer, inner) in [("b", "bc"), ("bc", "b"), ("b", "b")] {
            let nested = MultipartFormData(boundary: inner, parts: [text("1", name: "a")])
            let form = MultipartFormData(
                boundary: outer, parts: [.init(provider: .mixed(nested), name: "m")])
            #expect(throws: MultipartFormError.nestedBoundary(inner, in: outer)) {
                try MultipartPlan(form)
            }
        }
    }

    @Test func `a nested and any enclosing boundary are an error if one starts with the other`() {
        for (outer, inner) in [("b", "bc"), ("bc", "b"), ("b", "b")] {
            let innermost = MultipartFormData(boundary: inner, parts: [text("1", name: "a")])
            let middle = MultipartFormData(
                boundary: "m", parts: [.init(provider: .mixed(innermost), name: "n")])
            let form = MultipartFormData(
                boundary: outer, parts: [.init(provider: .mixed(middle), name: "m")])
            #expect(throws: MultipartFormError.nestedBoundary(inner, in: outer)) {
                try MultipartPlan(form)
            }
        }
    }

    @Test func `sibling parts may use equal boundaries`() {
        let nested = MultipartFormData(boundary: "n", parts: [text("1", name: "a")])
        let parts = ["x", "y"].map { MultipartFormBodyPart(provider: .mixed(nested), name: $0) }
        #expect(throws: Never.self) {
            try MultipartPlan(MultipartFormData(boundary: "b", parts: parts))
        }
    }
}
