import Foundation
import Testing

@testable import MoyaMultipart

@Suite struct MultipartLimitDefaultsTests {
    private func parse(headerSize: Int) throws -> [MultipartParser.Event] {
        var parser = try MultipartParser(boundary: "b", limits: MultipartLimits())
        let value = String(repeating: "x", count: headerSize - "A: ".count)
        return try parser.parse(Data("--b\r\nA: \(value)\r\n\r\n1\r\n--b--\r\n".utf8))
    }

    @Test func `the default limits of a multipart body are those of the documentation`() {
        let limits = MultipartLimits()
        #expect(limits.partCount == 1_000)
        #expect(limits.headerSize == 16 << 10)
        #expect(limits.partSize == 256 << 20)
        #expect(limits.epilogueSize == 64 << 10)
    }

    @Test func `the parser accepts 16 KiB of header fields by default`() throws {
        #expect(try !parse(headerSize: 16 << 10).isEmpty)
    }

    @Test func `the parser rejects more than 16 KiB of header fields by default`() {
        #expect(throws: MultipartReadingError.headerTooLarge(limit: 16 << 10)) {
            try parse(headerSize: (16 << 10) + 1)
        }
    }
}
