#if CURL
import CMoyaCurl
import Foundation

/// Decodes the gzip and deflate codings with zlib.
final class Inflater: ContentDecoder {
    enum Format {
        /// One gzip member or several (RFC 1952, section 2.2). Also accepts zlib data under this
        /// name, as libcurl does.
        case gzip
        /// Zlib data (RFC 1950), or raw deflate data (RFC 1951), which some servers send instead.
        case deflate
    }

    private enum Phase {
        /// Waits for the first two bytes, which identify the format. Holds the first byte, if it
        /// has arrived.
        case undecided(UInt8?)
        case inside(isRaw: Bool)
        case ended(allowance: Int)
    }

    private let format: Format
    // zlib stores the address, so the stream must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private var phase: Phase

    init(_ format: Format) throws(ContentDecodingError) {
        self.format = format
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        phase = format == .gzip ? .inside(isRaw: false) : .undecided(nil)
        // Adding 32 makes zlib detect gzip and zlib headers.
        let code = inflateInit2_(
            stream, format == .gzip ? MAX_WBITS + 32 : MAX_WBITS, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard code == Z_OK else { throw error(code) }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    var isWhole: Bool {
        if case .ended = phase { true } else { false }
    }

    func decode(
        _ input: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(ContentDecodingError) -> Int {
        while true {
            switch phase {
            case .undecided(let first):
                guard let byte = input.first else { return 0 }
                guard let first else {
                    phase = .undecided(byte)
                    input.drop(1)
                    continue
                }
                let count = try begin(with: first, then: byte, into: output)
                if count > 0 { return count }
            case .inside(let isRaw):
                let count = try inflate(&input, into: output, isRaw: isRaw)
                if count > 0 { return count }
                // At the end of the data, the loop checks what follows them.
                if !isWhole { return 0 }
            case .ended(let allowance):
                guard !input.isEmpty else { return 0 }
                try goOn(after: &input, allowance)
            }
        }
    }

    /// Detects the format from the first two bytes (RFC 1950, section 2.2), and decodes the first
    /// of them.
    private func begin(
        with first: UInt8, then second: UInt8, into output: UnsafeMutableRawBufferPointer
    ) throws(ContentDecodingError) -> Int {
        let isZlib =
            first & 0x0F == 8 && first >> 4 <= 7 && (Int(first) << 8 | Int(second)) % 31 == 0
        if !isZlib {
            try reset(-MAX_WBITS)
        }
        phase = .inside(isRaw: !isZlib)
        return try withUnsafeBytes(of: first) { bytes throws(ContentDecodingError) in
            var bytes = bytes
            return try inflate(&bytes, into: output, isRaw: !isZlib)
        }
    }

    private func inflate(
        _ input: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer,
        isRaw: Bool
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
        switch code {
        // Z_BUF_ERROR: no input, or no room for output.
        case Z_OK, Z_BUF_ERROR: break
        // Like libcurl, allows up to 4 bytes after raw deflate data: some servers append zlib's
        // checksum without zlib's header.
        case Z_STREAM_END: phase = .ended(allowance: isRaw ? 4 : 0)
        default: throw error(code)
        }
        return Int(room - stream.pointee.avail_out)
    }

    /// Begins the next gzip member. For the other formats, only the allowed bytes may follow.
    private func goOn(
        after input: inout UnsafeRawBufferPointer, _ allowance: Int
    ) throws(ContentDecodingError) {
        if format == .gzip {
            try reset(MAX_WBITS + 16)
            phase = .inside(isRaw: false)
        } else {
            guard input.count <= allowance else { throw .surplus }
            phase = .ended(allowance: allowance - input.count)
            input.drop(input.count)
        }
    }

    private func reset(_ windowBits: Int32) throws(ContentDecodingError) {
        let code = inflateReset2(stream, windowBits)
        guard code == Z_OK else { throw error(code) }
    }

    private func error(_ code: Int32) -> ContentDecodingError {
        let message = stream.pointee.msg.map { String(cString: $0) }
        return switch code {
        case Z_MEM_ERROR: .memory
        case Z_NEED_DICT: ContentDecodingError("it needs a dictionary")
        default: ContentDecodingError(message ?? "zlib error \(code)")
        }
    }
}
#endif
