#if CURL
/// The end of a body according to the `Content-Length` and `Transfer-Encoding` fields of a head
/// (RFC 9112, section 6.3).
///
/// libcurl uses the last length, and only its leading digits. An intermediary may use another
/// length, and take the rest of the body for the next response.
struct BodyFraming {
    enum Fault: String {
        /// The lengths differ, or one is not a number.
        case length = "The response's Content-Length is no length, or not the only one."
        /// A coding other than `chunked`. The transport's requests accept no other (RFC 9110,
        /// section 10.1.4).
        case coding = "The response has a Transfer-Encoding that the request does not accept."
        /// `chunked` is applied more than once (RFC 9112, section 6.1).
        case repeatedChunks = "The response's Transfer-Encoding has chunked more than once."
        /// Whitespace before the colon, which makes libcurl ignore the field (RFC 9112, section
        /// 5.1).
        case space =
            "The response has white space before the colon of its Content-Length or Transfer-Encoding."
        /// A folded field, which libcurl reads inconsistently (RFC 9112, section 5.2).
        case fold = "The response's Content-Length or Transfer-Encoding goes on in the next line."
    }

    private var length: Int64?
    private(set) var isChunked = false
    /// Whether the last field is a framing field. A line that begins with whitespace continues it.
    private var lastFieldIsFraming = false
    private(set) var fault: Fault?

    /// Whether the end of the connection ends the body, over HTTP/1.
    var endsWithConnection: Bool { length == nil && !isChunked }

    /// Whether the head announces an empty body.
    var isEmpty: Bool { length == 0 && !isChunked }

    /// Reads a header line.
    mutating func note(_ line: UnsafeRawBufferPointer) {
        if line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t") {
            if lastFieldIsFraming { fault = .fold }
            return
        }
        let length = HeaderScan.value(of: "content-length", in: line)
        let rest = length ?? HeaderScan.value(of: "transfer-encoding", in: line)
        lastFieldIsFraming = rest?.first == UInt8(ascii: ":")
        // Otherwise it is another field, perhaps with a longer name.
        guard let rest, rest.first(where: { $0 > 0x20 }) == UInt8(ascii: ":") else { return }
        guard lastFieldIsFraming else {
            fault = .space
            return
        }
        if length != nil { noteLength(rest.dropFirst()) } else { noteCodings(rest.dropFirst()) }
    }

    private mutating func noteLength(_ value: Slice<UnsafeRawBufferPointer>) {
        // Repeated equal numbers, in one field or several, count as one (RFC 9110, section 8.6).
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

    /// Parses digits. `nil` for other characters, and for more than `Int64` can hold.
    private static func number(_ text: Slice<UnsafeRawBufferPointer>) -> Int64? {
        guard text.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(String(decoding: text, as: UTF8.self))
    }
}

/// Finds bytes that a server sends after the end of a chunked body (RFC 9112, section 7.1). libcurl
/// drops them and keeps the connection, although its next bytes may belong to them. Needs bytes
/// with their chunk framing, which libcurl shows in its debug callback alone.
struct ChunkScan {
    private enum Place {
        /// In the digits of a chunk's size, and in the rest of that line.
        case size, sizeRest
        case data
        /// In the line break after the data.
        case dataEnd
        /// At the start of a trailer field or of the empty line, and in the rest of a trailer
        /// field.
        case fieldStart, field
        case end
    }

    private var place = Place.size
    /// Remaining bytes of the chunk.
    private var left: UInt64 = 0
    private var lastIsReturn = false
    /// Whether the body is not whole and its last byte is a carriage return.
    var endsWithReturn: Bool { lastIsReturn && place != .end }

    /// Reads the next bytes. Returns whether bytes follow the body.
    mutating func consume(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if let last = bytes.last { lastIsReturn = last == UInt8(ascii: "\r") }
        var index = 0
        while index < bytes.count, place != .end {
            guard place == .data else {
                take(bytes[index])
                index += 1
                continue
            }
            let count = Int(min(left, UInt64(bytes.count - index)))
            left -= UInt64(count)
            index += count
            if left == 0 { place = .dataEnd }
        }
        return index < bytes.count
    }

    private mutating func take(_ byte: UInt8) {
        let isLineFeed = byte == UInt8(ascii: "\n")
        switch place {
        case .size, .sizeRest:
            if isLineFeed {
                place = left == 0 ? .fieldStart : .data
            } else if place == .size, let digit = Character(Unicode.Scalar(byte)).hexDigitValue {
                // A size of more than 16 digits overflows. libcurl refuses it, and the transfer
                // fails.
                left = left << 4 | UInt64(digit)
            } else {
                place = .sizeRest
            }
        case .dataEnd:
            if isLineFeed { place = .size }
        case .fieldStart:
            if isLineFeed { place = .end } else if byte != UInt8(ascii: "\r") { place = .field }
        case .field:
            if isLineFeed { place = .fieldStart }
        case .data, .end: break
        }
    }
}
#endif
