#if CURL
import Foundation

/// Where a body ends according to the `Content-Length` and `Transfer-Encoding` fields of a head (RFC 9112, section 6.3).
///
/// libcurl believes the last length, and the digits it begins with. An intermediary may believe another one, and take
/// the rest of the body for the next response.
struct BodyFraming {
    enum Fault {
        /// The lengths differ, or one is no number of bytes.
        case length
        /// A coding besides `chunked`, which no request here asks for (RFC 9110, section 10.1.4).
        case coding
        /// `chunked` is applied more than once (RFC 9112, section 6.1).
        case repeatedChunks
        /// White space before the colon of a field, which libcurl then takes for another one (RFC 9112, section 5.1).
        case space
        /// A field goes on in the next line, which libcurl reads in different ways (RFC 9112, section 5.2).
        case fold

        var description: String {
            switch self {
            case .length: "The response's Content-Length is no length, or not the only one."
            case .coding: "The response has a Transfer-Encoding that the request does not accept."
            case .repeatedChunks: "The response's Transfer-Encoding has chunked more than once."
            case .space:
                "The response has white space before the colon of its Content-Length or Transfer-Encoding."
            case .fold:
                "The response's Content-Length or Transfer-Encoding goes on in the next line."
            }
        }
    }

    private var length: Int64?
    private(set) var isChunked = false
    /// Whether the last field is one of the two. A line that begins with a space continues it.
    private var lastFieldIsFraming = false
    private(set) var fault: Fault?

    /// Whether the end of the connection is the end of the body, over HTTP/1.
    var endsWithConnection: Bool { length == nil && !isChunked }

    /// Whether the head announces a body of no bytes.
    var isEmpty: Bool { length == 0 && !isChunked }

    /// Takes note of a header line, whatever it is.
    mutating func note(_ line: UnsafeRawBufferPointer) {
        if line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t") {
            if lastFieldIsFraming { fault = .fold }
            return
        }
        lastFieldIsFraming = true
        if let value = HeaderScan.value(of: "content-length:", in: line) {
            noteLength(value)
        } else if let value = HeaderScan.value(of: "transfer-encoding:", in: line) {
            noteCodings(value)
        } else {
            lastFieldIsFraming = false
            if Self.hasSpaceBeforeColon(line) { fault = .space }
        }
    }

    /// Whether `line` is one of the two fields, but for white space between its name and its colon.
    private static func hasSpaceBeforeColon(_ line: UnsafeRawBufferPointer) -> Bool {
        guard
            let rest = HeaderScan.value(of: "content-length", in: line)
                ?? HeaderScan.value(of: "transfer-encoding", in: line)
        else { return false }
        return rest.first { $0 > 0x20 } == UInt8(ascii: ":")
    }

    private mutating func noteLength(_ value: Slice<UnsafeRawBufferPointer>) {
        // The same number several times, in one field or in several, is one number (RFC 9110, section 8.6).
        var rest = value
        while true {
            let end = rest.firstIndex(of: UInt8(ascii: ",")) ?? rest.endIndex
            let number = Self.number(HeaderScan.trim(rest[..<end]))
            if number == nil || length != nil && length != number { fault = .length }
            length = number
            guard end < rest.endIndex else { return }
            rest = rest[(end + 1)...]
        }
    }

    private mutating func noteCodings(_ value: Slice<UnsafeRawBufferPointer>) {
        for item in value.split(separator: UInt8(ascii: ",")) {
            let name = HeaderScan.trim(item)
            if name.isEmpty || HeaderScan.isEqual(name, "identity") { continue }
            guard HeaderScan.isEqual(name, "chunked") else {
                fault = .coding
                continue
            }
            if isChunked { fault = .repeatedChunks }
            isChunked = true
        }
    }

    /// Digits alone, and no more of them than there can be bytes.
    private static func number(_ text: Slice<UnsafeRawBufferPointer>) -> Int64? {
        guard text.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(String(decoding: text, as: UTF8.self))
    }
}
#endif
