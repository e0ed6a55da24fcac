import Foundation
import Testing

@testable import MoyaCore

/// The time to mask a body, counted in the bytes that are read.
@Suite struct MaskingStepsTests {
    private final class Counter {
        var reads = 0
    }

    private struct CountedBytes: RandomAccessCollection {
        let bytes: [UInt8]
        let counter: Counter

        var startIndex: Int { bytes.startIndex }
        var endIndex: Int { bytes.endIndex }
        subscript(index: Int) -> UInt8 {
            counter.reads += 1
            return bytes[index]
        }
    }

    private func reads(_ unit: String, _ size: Int) -> Int {
        let unit = Array(unit.utf8)
        let bytes = Array((0..<(size / unit.count)).map { _ in unit }.joined())
        let counter = Counter()
        var scan = MessageScan(CountedBytes(bytes: bytes, counter: counter), .default)
        scan.body(scan.range, 0)
        _ = scan.masked()
        return counter.reads
    }

    static let units = [
        "--b\r\n", "--b\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n", "--b\nx:\n",
        "--b\nContent-A: b\n\n--c\nContent-A: b\n\n", "a=b&", "a=b;", "a=b=", "a=%61&", "a;", "%3B",
        "{\"a\":\"b\"},", "{\"value\":", "{\"value\":[1,", "{\"value\":1,\"name\":\"password\"},",
        "{\"a\":\"b\\n\"},", "{\"password\":", "[", "{", "\"", "'", "\\\"", "{a:", "<", "<a ",
        "<a>",
        "<password>", "<a b='", "<a b=\"password\">", "<![CDATA[", "<!--", "<name>password</name>",
        "password: x\n", "password:\n", "password:\n  ", "  password: x\n", "- ", "password: |\n\n",
        "data: {\"a\":1}\n", "data: {\"pin\":\n", "data: 1\n\n", "data:", "\r", "://", "a://b@",
        "https://h.test/a?b=c ", "https://h.test/?a=https://", "/reset-password", "eyJ.", "eyJ",
        "bearer ", "basic aaaa=", "-----BEGIN PRIVATE KEY-----", "hooks.slack.com/services/",
        "-u a:b ", "--token ", "-", "token ", "token=\"", "lorem ipsum, ", "\u{FEFF}", "\u{301}",
    ]

    @Test(arguments: units)
    func `the bytes that are read to mask a body grow no faster than the body`(unit: String) {
        let (one, two) = (reads(unit, 2048), reads(unit, 4096))
        #expect(two < one * 22 / 10)
        #expect(two < 4096 * 150)
    }

    /// A body whose memory cannot be read after the bytes that are needed.
    @Test func `redact(body:upTo:) does not read bytes far after its limit`() throws {
        let page = Int(getpagesize())
        let memory = try #require(
            mmap(nil, 64 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0))
        defer { munmap(memory, 64 * page) }
        memset(memory, Int32(UInt8(ascii: "a")), 64 * page)
        #expect(mprotect(memory + 2 * page, 62 * page, PROT_NONE) == 0)
        let body = Data(bytesNoCopy: memory, count: 64 * page, deallocator: .none)
        #expect(Redaction.default.redact(body: body, upTo: page).count == page)
    }

    @Test(arguments: [
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl", "ghp_0123456789abcdefghij0123456789",
        "https://user:hush-hush@h.test/", "Bearer hush-hush-hush", "password=hush-hush-hush",
        #"{"a":"{\"password\":\"hush-hush\"}"}"#, "xoxb-123456789012-hushhushhush",
    ])
    func `a secret at the limit of redact(body:upTo:) is masked`(secret: String) {
        let text = #"{"a": 1, "b": ""# + secret + #"", "c": 2}"#
        let whole = Redaction.default.redact(text: text)
        for count in 0...text.utf8.count {
            let shown = Redaction.default.redact(body: Data(text.utf8), upTo: count)
            #expect(whole.utf8.starts(with: shown.prefix { $0 != UInt8(ascii: "*") }), "\(count)")
            #expect(!String(decoding: shown, as: UTF8.self).contains("hush"), "\(count)")
        }
    }
}
