#if CURL
import CMoyaCurl

/// Decodes one content coding (RFC 9110, section 8.4.1) incrementally.
protocol ContentDecoder: AnyObject {
    /// Decodes bytes from the start of `input` into `output`, and removes the used bytes from
    /// `input`.
    ///
    /// - Returns: The number of bytes written. 0 means that `input` is used up and the decoder
    ///   needs more.
    func decode(
        _ input: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(ContentDecodingError) -> Int

    /// Whether the encoded data are complete at the end of the input so far.
    var isWhole: Bool { get }
}

/// The reason why encoded data cannot be decoded.
struct ContentDecodingError: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }

    static let memory = ContentDecodingError("the memory is used up")
    static let surplus = ContentDecodingError("more bytes follow its end")
}

/// The supported content codings.
enum BodyCoding {
    /// Every available coding.
    static let codings =
        "gzip, deflate" + (BrotliDecoder.installed == nil ? "" : ", br")
        + (ZstandardDecoder.installed == nil ? "" : ", zstd")

    /// The `Accept-Encoding` field.
    static let offer = "Accept-Encoding: " + codings

    /// Names that mean no coding. "none" is not registered, but libcurl accepts it too.
    static let identities: Set = ["identity", "none"]

    /// Creates a decoder for the coding of that name, ignoring case. `nil` for an unknown name, or
    /// if its library is missing.
    static func makeDecoder(_ name: String) throws(ContentDecodingError) -> (any ContentDecoder)? {
        switch name.lowercased() {
        // x-gzip is equivalent to gzip (RFC 9110, section 8.4.1.3).
        case "gzip", "x-gzip": try Inflater(.gzip)
        case "deflate": try Inflater(.deflate)
        case "br": try BrotliDecoder.installed.map(BrotliDecoder.init)
        case "zstd": try ZstandardDecoder.installed.map(ZstandardDecoder.init)
        default: nil
        }
    }
}

extension UnsafeRawBufferPointer {
    mutating func drop(_ count: Int) { self = UnsafeRawBufferPointer(rebasing: dropFirst(count)) }
}

// The functions of Brotli and Zstandard are looked up at run time, because libcurl may be built
// without these libraries.

/// Decodes Brotli (RFC 7932).
final class BrotliDecoder: ContentDecoder {
    /// Functions of the library that libcurl is linked with. `nil` if the process has not loaded
    /// it.
    static var installed: moya_brotli? { moya_brotli_loaded()?.pointee }

    private let call: moya_brotli
    private let state: OpaquePointer
    private(set) var isWhole = false

    init(_ call: moya_brotli) throws(ContentDecodingError) {
        guard let state = call.BrotliDecoderCreateInstance(nil, nil, nil) else { throw .memory }
        (self.call, self.state) = (call, state)
    }

    deinit { call.BrotliDecoderDestroyInstance(state) }

    func decode(
        _ input: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(ContentDecodingError) -> Int {
        var (available, room) = (input.count, output.count)
        var (next, free) = (input.baseAddress, output.baseAddress)
        if !isWhole {
            switch call.BrotliDecoderDecompressStream(state, &available, &next, &room, &free, nil) {
            // BROTLI_DECODER_RESULT_ERROR and BROTLI_DECODER_RESULT_SUCCESS.
            case 0: throw ContentDecodingError("its data are broken")
            case 1: isWhole = true
            default: break
            }
            input.drop(input.count - available)
        }
        let count = output.count - room
        guard isWhole, count == 0, !input.isEmpty else { return count }
        throw .surplus
    }
}

/// Decodes Zstandard (RFC 8878), one frame or several.
final class ZstandardDecoder: ContentDecoder {
    /// `ZSTD_inBuffer`; also `ZSTD_outBuffer`, which differs in the type of its address only.
    private struct Buffer {
        var address: UnsafeMutableRawPointer?
        var count: Int
        var position = 0
    }

    /// `ZSTD_d_windowLogMax`.
    private static let largestWindow: Int32 = 100

    /// Functions of the library that libcurl is linked with. `nil` if the process has not loaded
    /// it.
    static var installed: moya_zstandard? { moya_zstandard_loaded()?.pointee }

    private let call: moya_zstandard
    private let stream: OpaquePointer
    private(set) var isWhole = false
    /// Whether the last call filled the output, so that the library may hold more.
    private var mayHoldMore = false

    init(_ call: moya_zstandard) throws(ContentDecodingError) {
        guard let stream = call.ZSTD_createDStream() else { throw .memory }
        (self.call, self.stream) = (call, stream)
        // Content codings use windows of at most 8 MiB (RFC 9659, section 3), which bounds the
        // memory.
        try check(call.ZSTD_DCtx_setParameter(stream, Self.largestWindow, 23))
    }

    deinit { _ = call.ZSTD_freeDStream(stream) }

    private func check(_ code: Int) throws(ContentDecodingError) {
        guard call.ZSTD_isError(code) != 0 else { return }
        throw ContentDecodingError(String(cString: call.ZSTD_getErrorName(code)))
    }

    func decode(
        _ input: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(ContentDecodingError) -> Int {
        // A call after the end of a frame would begin another frame. The library reports an error
        // after 16 calls without progress, and with several codings the first byte for this one may
        // take many pieces.
        if input.isEmpty, isWhole || !mayHoldMore { return 0 }
        var source = Buffer(
            address: UnsafeMutableRawPointer(mutating: input.baseAddress), count: input.count)
        var target = Buffer(address: output.baseAddress, count: output.count)
        repeat {
            let code = call.ZSTD_decompressStream(stream, &target, &source)
            try check(code)
            isWhole = code == 0
        } while target.position == 0 && source.position < source.count
        mayHoldMore = target.position == target.count
        input.drop(source.position)
        return target.position
    }
}

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
