#if CURL
import CMoyaCurl

/// Decodes the gzip and deflate codings with zlib.
final class Inflater: ContentDecoder {
    enum Format {
        /// One gzip member or several (RFC 1952, section 2.2). Also accepts zlib data under this
        /// name, as libcurl does.
        case gzip
        /// Zlib data (RFC 1950), or raw deflate data (RFC 1951), which some servers send instead.
        case deflate
    }

    private let format: Format
    // zlib stores the address, so the stream must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private(set) var isWhole = false
    /// Whether zlib knows the format. That of ``Format/deflate`` shows in the first two bytes.
    private var isDecided: Bool
    /// The first byte, if only that has arrived.
    private var first: UInt8?
    /// Number of bytes that may still follow the encoded data.
    private var allowance = 0

    init(_ format: Format) throws(ContentDecodingError) {
        self.format = format
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        isDecided = format == .gzip
        // Adding 32 makes zlib detect gzip and zlib headers.
        let code = inflateInit2_(
            stream, format == .gzip ? MAX_WBITS + 32 : MAX_WBITS, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        try check(code)
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    func decode(
        _ input: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(ContentDecodingError) -> Int {
        if !isDecided, try !decide(&input, into: output) { return 0 }
        while true {
            if !isWhole {
                let count = try inflate(&input, into: output)
                if count > 0 || !isWhole { return count }
            }
            guard !input.isEmpty else { return 0 }
            try goOn(after: &input)
        }
    }

    /// Detects the format from the first two bytes (RFC 1950, section 2.2), and decodes the first
    /// of them. Returns `false` until both have arrived.
    private func decide(
        _ input: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(ContentDecodingError) -> Bool {
        if first == nil, let byte = input.first {
            first = byte
            input.drop(1)
        }
        guard let first, let second = input.first else { return false }
        isDecided = true
        let isZlib =
            first & 0x0F == 8 && first >> 4 <= 7 && (Int(first) << 8 | Int(second)) % 31 == 0
        if !isZlib {
            try check(inflateReset2(stream, -MAX_WBITS))
            // Like libcurl, allows up to 4 bytes after raw deflate data: some servers append zlib's
            // checksum without zlib's header.
            allowance = 4
        }
        // A single byte only begins a header or a block, and decodes to nothing.
        try withUnsafeBytes(of: first) { bytes throws(ContentDecodingError) in
            var bytes = bytes
            _ = try inflate(&bytes, into: output)
        }
        return true
    }

    private func inflate(
        _ input: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(ContentDecodingError) -> Int {
        // zlib counts bytes in 32 bits.
        let (available, room) = (UInt32(clamping: input.count), UInt32(clamping: output.count))
        // zlib does not write to the input, although its type is mutable.
        stream.pointee.next_in = UnsafeMutablePointer(
            mutating: input.bindMemory(to: UInt8.self).baseAddress)
        stream.pointee.avail_in = available
        stream.pointee.next_out = output.bindMemory(to: UInt8.self).baseAddress
        stream.pointee.avail_out = room
        let code = CMoyaCurl.inflate(stream, Z_NO_FLUSH)
        input.drop(Int(available - stream.pointee.avail_in))
        isWhole = code == Z_STREAM_END
        // Z_BUF_ERROR: no input, or no room for output.
        if !isWhole, code != Z_BUF_ERROR { try check(code) }
        return Int(room - stream.pointee.avail_out)
    }

    /// Begins the next gzip member. For the other formats, only the allowed bytes may follow.
    private func goOn(after input: inout UnsafeRawBufferPointer) throws(ContentDecodingError) {
        if format == .gzip {
            try check(inflateReset2(stream, MAX_WBITS + 16))
            isWhole = false
        } else {
            allowance -= input.count
            guard allowance >= 0 else { throw .surplus }
            input.drop(input.count)
        }
    }

    private func check(_ code: Int32) throws(ContentDecodingError) {
        switch code {
        case Z_OK: break
        case Z_MEM_ERROR: throw .memory
        case Z_NEED_DICT: throw ContentDecodingError("it needs a dictionary")
        default:
            let message = stream.pointee.msg.map { String(cString: $0) }
            throw ContentDecodingError(message ?? "zlib error \(code)")
        }
    }
}
#endif
