import Foundation

/// Looks at header lines without making strings of them.
enum HeaderScan {
    /// Whether libcurl expands the body that `head` announces: always what was compressed on the way
    /// (RFC 9112, section 7), and what the server has compressed where it was asked to.
    static func isExpanded(_ head: UnsafeRawBufferPointer, decodesContent: Bool) -> Bool {
        guard let base = head.baseAddress else { return false }
        var start = 0
        while start < head.count {
            let end = memchr(base + start, 10, head.count - start)
            let next = end.map { UnsafeRawPointer($0) - base + 1 } ?? head.count
            let line = UnsafeRawBufferPointer(rebasing: head[start..<next])
            if decodesContent, begins(line, "content-encoding:") { return true }
            if let value = value(of: "transfer-encoding:", in: line), !isChunkedAlone(value) {
                return true
            }
            start = next
        }
        return false
    }

    private static func isChunkedAlone(_ value: Slice<UnsafeRawBufferPointer>) -> Bool {
        let coding = UnsafeRawBufferPointer(rebasing: trim(value))
        return coding.count == 7 && begins(coding, "chunked")
    }

    /// What comes after `name`, which ends in a colon, where `line` begins with that.
    static func value(
        of name: StaticString, in line: UnsafeRawBufferPointer
    ) -> Slice<UnsafeRawBufferPointer>? {
        begins(line, name) ? line.dropFirst(name.utf8CodeUnitCount) : nil
    }

    /// `value` without the space around it.
    static func trim(_ value: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        let isSpace = { (byte: UInt8) in byte <= 0x20 }
        let value = value.drop(while: isSpace)
        let end = (value.lastIndex { !isSpace($0) } ?? value.startIndex - 1) + 1
        return value.prefix(upTo: end)
    }

    /// `start` is of letters in lower case, hyphens and colons.
    private static func begins(_ line: UnsafeRawBufferPointer, _ start: StaticString) -> Bool {
        guard line.count >= start.utf8CodeUnitCount else { return false }
        for offset in 0..<start.utf8CodeUnitCount
        where line[offset] | 0x20 != start.utf8Start[offset] | 0x20 { return false }
        return true
    }
}

/// The first line of a response's head.
enum StatusLine {
    static func isOne(_ line: UnsafeRawBufferPointer) -> Bool {
        guard line.count > 5, let start = line.baseAddress else { return false }
        return memcmp(start, "HTTP/", 5) == 0
    }

    /// Whether another head may come after `head`, in place of a body: after an informational response, and
    /// where libcurl asks once more with an answer to a challenge or without an expectation.
    static func mayBeFollowed(
        _ head: UnsafeRawBufferPointer, whileNegotiating: Bool = false
    ) -> Bool {
        guard let code = code(of: head) else { return false }
        return code < (whileNegotiating ? 300 : 200) || code == 401 || code == 407 || code == 417
    }

    static func isInformational(_ head: UnsafeRawBufferPointer) -> Bool {
        code(of: head).map { $0 < 200 } ?? false
    }

    private static func code(of head: UnsafeRawBufferPointer) -> Int? {
        guard let space = head.firstIndex(of: UInt8(ascii: " ")), space + 3 < head.count else {
            return nil
        }
        return head[space + 1...space + 3].reduce(0) { $0 &* 10 &+ Int($1) &- 48 }
    }
}
