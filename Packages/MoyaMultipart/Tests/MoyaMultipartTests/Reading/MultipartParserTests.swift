import Foundation
import MoyaCore
import Testing

@testable import MoyaMultipart

/// Events and error of parsing a body, independent of chunk boundaries.
struct Reading: Equatable {
    var events: [MultipartParser.Event] = []
    var failure: MultipartReadingError?

    var parts: [MultipartPart] {
        var parts: [MultipartPart] = []
        for event in events {
            switch event {
            case .part(let header): parts.append(MultipartPart(header: header, body: Data()))
            case .data(let data): parts[parts.count - 1].body += data
            case .end: break
            }
        }
        return parts
    }

    /// - Parameter size: Returns the size of the next chunk.
    init(
        _ body: Data, boundary: String = "b", limits: MultipartLimits = MultipartLimits(),
        chunks size: () -> Int = { .max }
    ) {
        do {
            var parser = try MultipartParser(boundary: boundary, limits: limits)
            var rest = body
            while !rest.isEmpty {
                let chunk = rest.prefix(max(1, size()))
                rest = rest.dropFirst(chunk.count)
                for event in try parser.parse(chunk) { add(event) }
            }
            for event in try parser.finish() { add(event) }
        } catch {
            failure = error as? MultipartReadingError
        }
    }

    init(_ body: String, limits: MultipartLimits = MultipartLimits(), chunk: Int = .max) {
        let lines = body.replacingOccurrences(of: "\n", with: "\r\n")
        self.init(Data(lines.utf8), limits: limits, chunks: { chunk })
    }

    init() {}

    mutating func add(_ event: MultipartParser.Event) {
        if case .data(let more) = event, case .data(let data) = events.last {
            events[events.count - 1] = .data(data + more)
        } else {
            events.append(event)
        }
    }
}

private func header(_ fields: (String, String)...) -> MultipartHeader {
    MultipartHeader(fields.map { HeaderField(name: $0, value: $1) })
}

private func part(_ body: String, _ fields: (String, String)...) -> MultipartPart {
    MultipartPart(
        header: MultipartHeader(fields.map { HeaderField(name: $0, value: $1) }),
        body: Data(body.replacingOccurrences(of: "\n", with: "\r\n").utf8))
}

@Suite struct MultipartParserTests {
    /// Bodies and their expected parts.
    static let bodies: [(String, [MultipartPart])] = [
        ("--b\nA: 1\n\none\n--b\n\ntwo\n--b--\n", [part("one", ("A", "1")), part("two")]),
        ("a preamble\n--b\n\none\n--b--\nan epilogue\n--b\n\nno part\n--b--", [part("one")]),
        ("--b--", []),
        ("--b\n\n--b--", [part("")]),
        ("--b\nA: 1\n\n--b\n\n\n--b--", [part("", ("A", "1")), part("")]),
        ("--b\n\n\n\n--b--", [part("\n")]),
        ("--b \t\n\npadding\n--b  \n\nmore\n--b-- \n", [part("padding"), part("more")]),
        ("--b\n\none\n--bc\n--b-x\n-b\n--\n--b--", [part("one\n--bc\n--b-x\n-b\n--")]),
        ("--b\n\nx--b--\n--b--", [part("x--b--")]),
        (
            "--b\n\none\n--b--x\n--b-- x\n--b---\n--b--\t-\n--b--",
            [part("one\n--b--x\n--b-- x\n--b---\n--b--\t-")]
        ),
        ("--b--x\n--b\n\none\n--b-- \t", [part("one")]),
        (
            "--b\(String(repeating: " ", count: 128))\n\none\n--b--\(String(repeating: "\t", count: 128))\n",
            [part("one")]
        ),
        (
            "--b\n\none\n--b--\(String(repeating: " ", count: 129))\n--b--",
            [part("one\n--b--\(String(repeating: " ", count: 129))")]
        ),
        (
            "--b\na:1\nB:\t two  words \nC:\n\n1\n--b--",
            [part("1", ("a", "1"), ("B", "two  words"), ("C", ""))]
        ),
        (
            "--b\nA: one\n two\n\tthree\nB: x\n\n1\n--b--",
            [part("1", ("A", "one two\tthree"), ("B", "x"))]
        ),
        ("--b\nA: naïve 日本\n\n1\n--b--", [part("1", ("A", "naïve 日本"))]),
        ("--b\nA: 1\n\n--b\n\n--b\n\n--b--", [part("", ("A", "1")), part(""), part("")]),
    ]

    @Test(arguments: bodies, [1, 2, 3, 7, .max])
    func `the parser splits multipart bodies into parts`(
        body: (String, [MultipartPart]), chunk: Int
    ) {
        let reading = Reading(body.0, chunk: chunk)
        #expect(reading.parts == body.1)
        #expect(reading.failure == nil)
    }

    @Test(arguments: [
        "", "no delimiter", "--b", "--b\n", "--b\nA: 1", "--b\n\n", "--b\n\none", "--b\n\none\n--b",
        "--b\n\none\n--b-", "--b\n\none\n--b\n", "x--b--", "--b\n\none\n--b--x",
        "--b\n\none\n--b-- x\n--b",
    ])
    func `a multipart body without its closing delimiter is an error`(body: String) {
        for chunk in [1, .max] { #expect(Reading(body, chunk: chunk).failure == .truncated) }
    }

    @Test(arguments: ["no colon", "two words: x", ": x", "A: \0", "A\0: x", " A: x"])
    func `a malformed header field in a multipart body is an error`(field: String) {
        for chunk in [1, .max] {
            let reading = Reading("--b\n\none\n--b\n\(field)\n\n2\n--b--", chunk: chunk)
            #expect(reading.failure == .malformedHeader)
            #expect(reading.events == [.part(header()), .data(Data("one".utf8)), .end])
        }
    }

    @Test func `a bare line break within a part's header field is an error`() {
        for field in ["A: b\rc", "A: b\nc", "A: b\r\rc"] {
            let body = Data("--b\r\n\(field)\r\n\r\n1\r\n--b--".utf8)
            #expect(Reading(body).failure == .malformedHeader)
        }
    }

    @Test
    func `the parser limits the number of parts, the size of header fields and the size of parts`()
    {
        let body = "--b\nA: 12345\n\n12345\n--b\n\n\n--b--"
        for chunk in [1, 2, 5, .max] {
            func failure(_ limits: MultipartLimits) -> MultipartReadingError? {
                Reading(body, limits: limits, chunk: chunk).failure
            }
            #expect(failure(MultipartLimits(partCount: 2, headerSize: 8, partSize: 5)) == nil)
            #expect(failure(MultipartLimits(partCount: 1)) == .tooManyParts(limit: 1))
            #expect(failure(MultipartLimits(headerSize: 7)) == .headerTooLarge(limit: 7))
            #expect(failure(MultipartLimits(partSize: 4)) == .partTooLarge(limit: 4))
            let cut = Reading(body, limits: MultipartLimits(partSize: 4), chunk: chunk)
            #expect(cut.events == [.part(header(("A", "12345"))), .data(Data("1234".utf8))])
        }
    }

    @Test func `endless header fields of a part are an error at the size limit`() throws {
        var parser = try MultipartParser(boundary: "b", limits: MultipartLimits(headerSize: 1_000))
        _ = try parser.parse(Data("--b\r\nA: ".utf8))
        #expect(throws: MultipartReadingError.headerTooLarge(limit: 1_000)) {
            for _ in 0..<1_010 { _ = try parser.parse(Data("x".utf8)) }
        }
        #expect(throws: MultipartReadingError.headerTooLarge(limit: 1_000)) { try parser.finish() }
    }

    @Test func `the parser emits data as soon as it cannot belong to a delimiter`() throws {
        var parser = try MultipartParser(boundary: "b")
        #expect(try parser.parse(Data("--b\r\n\r\n".utf8)) == [.part(header())])
        #expect(try parser.parse(Data("one".utf8)) == [.data(Data("one".utf8))])
        #expect(try parser.parse(Data("\r\n--".utf8)) == [])
        #expect(try parser.parse(Data("x".utf8)) == [.data(Data("\r\n--x".utf8))])
        #expect(try parser.parse(Data("\r\n--b--".utf8)) == [])
        #expect(try parser.parse(Data(" \r\n".utf8)) == [.end])
        #expect(try parser.finish() == [])
    }

    @Test(arguments: ["", " ", "\t\r"])
    func `the closing delimiter needs no line end at the end of the body`(rest: String) throws {
        var parser = try MultipartParser(boundary: "b")
        let body = "--b\r\n\r\n1\r\n--b--"
        #expect(
            try parser.parse(Data((body + rest).utf8))
                == [.part(header()), .data(Data("1".utf8))])
        #expect(try parser.finish() == [.end])
        #expect(try parser.finish() == [])
    }

    @Test(arguments: [
        ("multipart/mixed; boundary=b", "b"), ("Multipart/Form-Data; Boundary=\"a b\"; x=y", "a b"),
        ("multipart/byteranges;boundary=b;boundary=c", "b"),
        (#"multipart/mixed; boundary="a\:b""#, "a:b"),
    ])
    func `the parser takes the boundary from a content type`(type: String, boundary: String) throws
    {
        var parser = try MultipartParser(contentType: type)
        #expect(try parser.parse(Data("--\(boundary)\r\n\r\n".utf8)) == [.part(header())])
    }

    // RFC 2046, section 5.1.1.
    @Test(arguments: [1, 70])
    func `a boundary has 1 to 70 characters`(length: Int) throws {
        let boundary = String(repeating: "b", count: length)
        var parser = try MultipartParser(boundary: boundary)
        #expect(try parser.parse(Data("--\(boundary)\r\n\r\n".utf8)) == [.part(header())])
    }

    @Test(arguments: ["", "a ", "ä", String(repeating: "b", count: 71)])
    func `an invalid boundary is an error whose message contains the boundary`(boundary: String) {
        let error = #expect(throws: MultipartReadingError.self) {
            try MultipartParser(boundary: boundary)
        }
        let description = error?.description ?? ""
        #expect(description.hasPrefix("\(boundary.debugDescription) is not a valid boundary"))
        #expect(!description.contains("content type") && !description.contains("multipart body"))
    }

    @Test(arguments: [
        nil, "", "text/plain; boundary=b", "multipart/mixed", "multipart/mixed; boundary=",
        "multipart/mixed; boundary=\"ä\"",
    ])
    func `a content type without a boundary is an error`(type: String?) {
        #expect(throws: MultipartReadingError.noBoundary(contentType: type)) {
            try MultipartParser(contentType: type)
        }
    }
}

@Suite struct MultipartHeaderTests {
    private func header(_ disposition: String) -> MultipartHeader {
        MultipartHeader([HeaderField(name: "content-disposition", value: disposition)])
    }

    @Test(arguments: [
        (#"form-data; name="a"; filename="b.txt""#, "a", "b.txt"),
        ("form-data; filename=b.txt; NAME = a", "a", "b.txt"),
        (#"form-data; name="a%22b%0D%0Ac"; filename="%41""#, "a\"b\r\nc", "%41"),
        (#"form-data; name="a\"b"; filename="C:\x\""#, "a\"b", #"C:\x\"#),
        (#"form-data; name="a;b=c"; filename="";"#, "a;b=c", ""),
        (#"form-data; name="a"; name="z"; filename="b"; filename="y""#, "a", "b"),
        ("form-data; name=\"日本\"; filename=\"🐈\"", "日本", "🐈"),
        (#"form-data; name="open; filename=b"#, "open; filename=b", nil),
        ("form-data; name", nil, nil),
        ("form-data", nil, nil),
    ])
    func `names in Content-Disposition are read as browsers write them`(
        disposition: String, name: String?, fileName: String?
    ) {
        #expect(header(disposition).name == name)
        #expect(header(disposition).fileName == fileName)
    }

    @Test func `a part without Content-Disposition has no name`() {
        #expect(MultipartHeader().name == nil)
        #expect(MultipartHeader().contentType == nil)
    }
}
