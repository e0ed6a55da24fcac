import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

/// Calls `body` with the bytes of `text`.
func withBytes<Value>(
    of text: String, _ body: (UnsafeRawBufferPointer) -> Value
) -> Value {
    var text = text
    return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
}

/// Status lines (RFC 9112, section 4).
@Suite struct StatusLineTests {
    @Test(arguments: [
        "HTTP/1.1 204 No Content\r\n", "HTTP/1.1 204 \r\n", "HTTP/1.1 204\r\n", "HTTP/2 204\n",
        "HTTP/1.1  204 OK\r\n", "HTTP/1.1 204",
    ])
    func `a status code of three digits ends at white space or the end of the line`(line: String) {
        let code = withBytes(of: line) { StatusLine.code(of: $0) }
        #expect(code == 204)
    }

    @Test(arguments: [
        "HTTP/1.1 20 OK\r\n", "HTTP/1.1 2044 OK\r\n", "HTTP/1.1 099 OK\r\n", "HTTP/1.1 2/4 OK\r\n",
        "HTTP/1.1 2:4 OK\r\n", "HTTP/1.1 204!\r\n", "HTTP/1.1\r\n", "HTTP/1.1 \r\n", "",
    ])
    func `a status line with another code has none`(line: String) {
        let code = withBytes(of: line) { StatusLine.code(of: $0) }
        #expect(code == nil)
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\n", true), ("HTTP/3", true), ("HTTP/", false), ("HTTP", false),
        ("http/1.1 200 OK\r\n", false), ("HTTP: 1.1\r\n", false), ("Date: HTTP/1.1\r\n", false),
    ])
    func `a status line begins with the protocol's name and a version`(line: String, isOne: Bool) {
        let isFound = withBytes(of: line) { StatusLine.isOne($0) }
        #expect(isFound == isOne)
    }

    // RFC 9110, section 15.2.
    @Test(arguments: [(100, true), (199, true), (200, false), (500, false)])
    func `an informational status is below 200`(code: Int, isInformational: Bool) {
        let isFound = withBytes(of: "HTTP/1.1 \(code) X\r\n") { StatusLine.isInformational($0) }
        #expect(isFound == isInformational)
    }

    // libcurl sends the request again after a proxy's challenge.
    @Test(arguments: [
        (100, true), (199, true), (200, false), (299, false), (300, false), (400, false),
        (401, false), (402, false), (406, false), (407, true), (408, false), (416, false),
        (417, false), (418, false),
    ])
    func `another head may follow an informational response and a proxy's challenge`(
        code: Int, isFollowed: Bool
    ) {
        let isFound = withBytes(of: "HTTP/1.1 \(code) X\r\n") {
            StatusLine.mayBeFollowed($0, whileNegotiating: false)
        }
        #expect(isFound == isFollowed)
    }

    @Test(arguments: [(200, true), (299, true), (300, false), (403, false), (401, true)])
    func `another head may follow a successful response while Negotiate is in progress`(
        code: Int, isFollowed: Bool
    ) {
        let isFound = withBytes(of: "HTTP/1.1 \(code) X\r\n") {
            StatusLine.mayBeFollowed($0, whileNegotiating: true)
        }
        #expect(isFound == isFollowed)
    }
}

@Suite struct HeaderScanTests {
    // RFC 9110, sections 5.3 and 8.4; RFC 9112, section 5.2.
    @Test(
        arguments: [
            ("Content-Encoding: gzip\r\n", ["gzip"]),
            ("CONTENT-ENCODING:br,gzip\r\n", ["br", "gzip"]),
            ("Content-Encoding: \t br , , gzip\t\r\n", ["br", "gzip"]),
            ("Content-Encoding: br\r\nVary: x\r\nContent-Encoding: zstd\r\n", ["br", "zstd"]),
            ("Content-Encoding: br,\r\n gzip\r\n\tzstd\r\n", ["br", "gzip", "zstd"]),
            ("Content-Encoding: br\r\nVary: x,\r\n gzip\r\n", ["br"]),
            ("Content-Encoding: identity, br, Identity\r\n", ["br"]),
            ("Content-Encodings: br\r\nX-Content-Encoding: br\r\nContent-Encoding\r\n", []),
            ("Content-Encoding: br", ["br"]), ("", []),
        ] as [(String, [String])])
    func `the content codings of a head are listed in the order in which they were applied`(
        fields: String, codings: [String]
    ) {
        let head = "HTTP/1.1 200 OK\r\n\(fields)"
        let found = withBytes(of: head) { HeaderScan.contentCodings($0) }
        #expect(found == codings)
    }
}
