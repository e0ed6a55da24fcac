#if CURL
import Foundation

/// Parses header lines without creating strings.
enum HeaderScan {
    /// The content codings in `head`, in the order in which they were applied (RFC 9110, section
    /// 8.4).
    static func contentCodings(_ head: UnsafeRawBufferPointer) -> [String] {
        guard let base = head.baseAddress else { return [] }
        var names: [String] = []
        var isInField = false
        var start = 0
        while start < head.count {
            let end = memchr(base + start, 10, head.count - start)
            let next = end.map { UnsafeRawPointer($0) - base + 1 } ?? head.count
            let line = UnsafeRawBufferPointer(rebasing: head[start..<next])
            let isFold = line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t")
            let value = value(of: "content-encoding:", in: line)
            isInField = value != nil || isInField && isFold
            if isInField { names += items(value ?? line[...]) }
            start = next
        }
        return names
    }

    private static func items(_ value: Slice<UnsafeRawBufferPointer>) -> [String] {
        value.split(separator: UInt8(ascii: ","))
            .map { String(decoding: trim($0), as: UTF8.self) }
            .filter { !$0.isEmpty && !BodyCoding.identities.contains($0.lowercased()) }
    }

    /// The rest of `line` after `name`, ignoring case. `nil` if `line` does not begin with `name`.
    static func value(
        of name: StaticString, in line: UnsafeRawBufferPointer
    ) -> Slice<UnsafeRawBufferPointer>? {
        begins(line, name) ? line.dropFirst(name.utf8CodeUnitCount) : nil
    }

    /// `value` without leading and trailing whitespace (RFC 9110, section 5.5), and without the end
    /// of its line.
    static func trim(_ value: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        let isSpace = { (byte: UInt8) in [0x20, 0x09, 0x0D, 0x0A].contains(byte) }
        let value = value.drop(while: isSpace)
        let end = (value.lastIndex { !isSpace($0) } ?? value.startIndex - 1) + 1
        return value.prefix(upTo: end)
    }

    /// Whether `value` equals `name`, ignoring case. `name` consists of lowercase letters and
    /// hyphens.
    static func isEqual(_ value: Slice<UnsafeRawBufferPointer>, _ name: StaticString) -> Bool {
        value.count == name.utf8CodeUnitCount
            && begins(UnsafeRawBufferPointer(rebasing: value), name)
    }

    /// Whether `line` begins with `start`, ignoring case. `start` has no capital letters.
    static func begins(_ line: UnsafeRawBufferPointer, _ start: StaticString) -> Bool {
        guard line.count >= start.utf8CodeUnitCount else { return false }
        for offset in 0..<start.utf8CodeUnitCount {
            let (byte, expected) = (line[offset], start.utf8Start[offset])
            guard byte == expected || byte | 0x20 == expected && (0x41...0x5A).contains(byte)
            else { return false }
        }
        return true
    }
}

/// Parses the status line of a response.
enum StatusLine {
    /// Whether `line` begins like a status line.
    static func isOne(_ line: UnsafeRawBufferPointer) -> Bool {
        guard line.count > 5, let start = line.baseAddress else { return false }
        return memcmp(start, "HTTP/", 5) == 0
    }

    /// Whether another head may follow `head` without a body in between: after an informational
    /// response, and after a response that libcurl answers with another request: a proxy's
    /// challenge, and with Negotiate a server's, or the response to a request without its body.
    static func mayBeFollowed(
        _ head: UnsafeRawBufferPointer, whileNegotiating: Bool
    ) -> Bool {
        guard let code = code(of: head) else { return false }
        return code < (whileNegotiating ? 300 : 200) || code == 407
            || whileNegotiating && code == 401
    }

    /// Whether the status code is below 200.
    static func isInformational(_ head: UnsafeRawBufferPointer) -> Bool {
        code(of: head).map { $0 < 200 } ?? false
    }

    /// The status code: three digits, the first not zero, after the version and spaces, and before
    /// white space or the end of the line (RFC 9112, section 4, and RFC 9110, section 15). `nil`
    /// for any other text.
    static func code(of head: UnsafeRawBufferPointer) -> Int? {
        guard isOne(head), isDigit(head[5]) else { return nil }
        var rest = head[6...]
        if rest.first == UInt8(ascii: ".") {
            guard rest.count > 1, isDigit(rest[rest.startIndex + 1]) else { return nil }
            rest = rest.dropFirst(2)
        }
        guard rest.first == UInt8(ascii: " ") else { return nil }
        rest = rest.drop { $0 == UInt8(ascii: " ") }
        let digits = rest.prefix(3)
        guard digits.count == 3, digits.first != UInt8(ascii: "0"), digits.allSatisfy(isDigit)
        else { return nil }
        // White space, as in this section of RFC 9112, or the end of the line has to follow.
        if let next = rest.dropFirst(3).first, next != 0x20, !(0x09...0x0D).contains(next) {
            return nil
        }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

/// A growing block of bytes. The owner has to deallocate it.
struct RawBytes {
    private(set) var base: UnsafeMutableRawPointer?
    private(set) var count = 0
    private var capacity = 0

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

    mutating func removeAll() { count = 0 }

    /// Appends `more`. `false` if there is no memory.
    mutating func append(_ more: UnsafeRawBufferPointer, guess: Int = 256) -> Bool {
        guard let source = more.baseAddress, !more.isEmpty else { return true }
        let needed = count + more.count
        if needed > capacity {
            let wanted = max(needed, guess, capacity * 2)
            guard let grown = realloc(base, wanted) else { return false }
            (base, capacity) = (grown, wanted)
        }
        base?.advanced(by: count).copyMemory(from: source, byteCount: more.count)
        count = needed
        return true
    }

    mutating func append(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    /// Transfers the block to `Data`, which frees it.
    mutating func takeData() -> Data {
        guard let base else { return Data() }
        defer { (self.base, count, capacity) = (nil, 0, 0) }
        // A block that grew by doubling may be half empty. Shrinking it rarely moves it.
        let isRoomy = capacity - count > max(4096, count / 8)
        let fitting = isRoomy ? realloc(base, max(1, count)) ?? base : base
        return Data(bytesNoCopy: fitting, count: count, deallocator: .free)
    }

    mutating func deallocate() {
        free(base)
        (base, count, capacity) = (nil, 0, 0)
    }
}
#endif
