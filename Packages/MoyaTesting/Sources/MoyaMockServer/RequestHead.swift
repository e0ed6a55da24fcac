import Foundation
import MoyaCore

/// The request line and the header section of a request (RFC 9112, sections 3 and 5).
struct RequestHead {
    /// How the length of the body is told.
    enum Framing: Equatable {
        case length(Int)
        case chunked
    }

    var method = ""
    var target = ""
    var headers: [HeaderField] = []
    var framing = Framing.length(0)
    var expectsContinue = false
    /// Whether the client wants the connection closed after the response.
    var wantsClose = false

    /// `nil` for what is no HTTP/1.
    init?(_ bytes: UnsafeRawBufferPointer) {
        var start = 0
        var isFirst = true
        while start < bytes.count {
            var end = start
            while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
            let line = Self.trimmed(bytes, start..<end)
            start = end + 1
            if line.isEmpty { continue }
            if isFirst {
                isFirst = false
                guard readRequestLine(bytes, line) else { return nil }
            } else {
                guard readField(bytes, line) else { return nil }
            }
        }
        if isFirst { return nil }
    }

    private mutating func readRequestLine(
        _ bytes: UnsafeRawBufferPointer, _ line: Range<Int>
    ) -> Bool {
        let words = bytes[line].split(separator: UInt8(ascii: " "))
        guard words.count == 3 else { return false }
        method = String(decoding: words[0], as: UTF8.self)
        target = String(decoding: words[1], as: UTF8.self)
        let version = String(decoding: words[2], as: UTF8.self)
        wantsClose = version == "HTTP/1.0"
        return version.hasPrefix("HTTP/1.")
    }

    private mutating func readField(_ bytes: UnsafeRawBufferPointer, _ line: Range<Int>) -> Bool {
        guard let colon = bytes[line].firstIndex(of: UInt8(ascii: ":")) else { return false }
        let name = String(decoding: bytes[line.lowerBound..<colon], as: UTF8.self)
        let value = String(
            decoding: bytes[Self.trimmed(bytes, colon + 1..<line.upperBound)], as: UTF8.self)
        headers.append(HeaderField(name: name, value: value))
        switch name.lowercased() {
        case "content-length":
            guard let length = Int(value), length >= 0 else { return false }
            if framing != .chunked { framing = .length(length) }
        case "transfer-encoding":
            guard value.lowercased() == "chunked" else { return false }
            framing = .chunked
        case "expect": expectsContinue = value.lowercased() == "100-continue"
        case "connection": wantsClose = wantsClose || value.lowercased().contains("close")
        default: break
        }
        return true
    }

    private static func trimmed(
        _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>
    ) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, isSpace(bytes[start]) { start += 1 }
        while start < end, isSpace(bytes[end - 1]) { end -= 1 }
        return start..<end
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
    }
}
