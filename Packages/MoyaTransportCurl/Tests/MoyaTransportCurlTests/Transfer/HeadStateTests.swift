import Foundation
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

/// Parsing of response heads line by line, without libcurl.
@Suite struct HeadStateTests {
    /// Takes a line. Returns its kind.
    private func take(_ line: String, _ head: inout HeadState) -> HeadState.Line {
        var line = line
        return line.withUTF8 { head.take(UnsafeRawBufferPointer($0)) }
    }

    @Test func `lines up to the empty line belong to the head, and later lines to the trailers`() {
        var head = HeadState()
        for line in ["HTTP/1.1 200 OK\r\n", "A: b\r\n"] {
            guard case .field(isLast: false) = take(line, &head) else {
                Issue.record("\(line) is no line of the head.")
                return
            }
        }
        guard case .field(isLast: true) = take("\r\n", &head) else {
            Issue.record("The empty line does not end the head.")
            return
        }
        #expect(head.isWhole)
        guard case .trailers = take("C: d\r\n", &head) else {
            Issue.record("A field behind the head is no trailer field.")
            return
        }
    }

    @Test
    func
        `more than 256 KiB of header fields, including informational responses, are refused`()
    {
        var head = HeadState()
        let line = "A: " + String(repeating: "b", count: 64 << 10) + "\r\n"
        for _ in 0..<3 {
            guard case .field = take(line, &head) else {
                Issue.record("192 KiB are refused.")
                return
            }
        }
        _ = take("\r\n", &head)
        head.leaveResponse(isInformational: true)
        #expect(!head.isWhole)
        guard case .refused = take(line, &head) else {
            Issue.record("256 KiB and some are taken.")
            return
        }
    }

    @Test func `a response may have 256 KiB of header lines, and not one byte more`() {
        var limits = HeadLimits()
        let lines = [UInt8](repeating: UInt8(ascii: "a"), count: 256 << 10)
        lines.withUnsafeBytes { bytes in
            let faults = [bytes[..<1000], bytes[1000...], bytes[..<1]].map {
                limits.fault(after: UnsafeRawBufferPointer(rebasing: $0))
            }
            let text = "The response has more than 262144 bytes of header fields."
            #expect(faults == [nil, nil, text])
        }
    }

    @Test
    func
        `each answered challenge may have 256 KiB of fields, and the eleventh challenge is refused`()
    {
        var head = HeadState()
        let line = "A: " + String(repeating: "b", count: 200 << 10) + "\r\n"
        for _ in 0..<HeadLimits.challengeLimit {
            guard case .field = take(line, &head) else {
                Issue.record("An answered challenge is refused.")
                return
            }
            _ = take("\r\n", &head)
            head.leaveResponse(isInformational: false)
        }
        guard case .refused(let reason) = take("HTTP/1.1 401 Who\r\n", &head) else {
            Issue.record("The eleventh challenge is answered.")
            return
        }
        #expect(reason.contains("10 times"))
    }

    @Test func `a head from a failed connection leaves no framing for the next response`() {
        var head = HeadState()
        _ = take("Content-Length: 5\r\n", &head)
        _ = take("\r\n", &head)
        #expect(!head.framing.endsWithConnection)
        head.leaveResponse(isInformational: false)
        #expect(head.framing.endsWithConnection)
    }

    @Test func `a response answers the request that libcurl began last`() {
        var head = HeadState()
        head.noteAnswer()
        #expect(head.hasAnswer && head.hasAnswerSinceBegin)
        head.noteBegin(nil)
        #expect(head.hasAnswer && !head.hasAnswerSinceBegin)
    }
}
