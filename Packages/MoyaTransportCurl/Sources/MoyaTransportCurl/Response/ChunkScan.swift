#if CURL
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
