#if CURL
import Foundation

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
    /// The `Accept-Encoding` field, with every available coding.
    static let offer =
        "Accept-Encoding: gzip, deflate" + (BrotliLibrary.installed == nil ? "" : ", br")
        + (ZstandardLibrary.installed == nil ? "" : ", zstd")

    /// Names that mean no coding. "none" is not registered, but libcurl accepts it too.
    static let identities: Set = ["identity", "none"]

    /// Creates a decoder for the coding of that name, ignoring case. `nil` for an unknown name, or
    /// if its library is missing.
    static func makeDecoder(_ name: String) throws(ContentDecodingError) -> (any ContentDecoder)? {
        switch name.lowercased() {
        // x-gzip is equivalent to gzip (RFC 9110, section 8.4.1.3).
        case "gzip", "x-gzip": try Inflater(.gzip)
        case "deflate": try Inflater(.deflate)
        case "br": try BrotliLibrary.installed.map(BrotliDecoder.init)
        case "zstd": try ZstandardLibrary.installed.map(ZstandardDecoder.init)
        default: nil
        }
    }
}

extension UnsafeRawBufferPointer {
    mutating func drop(_ count: Int) {
        self = UnsafeRawBufferPointer(rebasing: dropFirst(count))
    }
}

// The functions of Brotli and Zstandard are looked up at run time, because libcurl may be built
// without these libraries.

/// Functions of the Brotli decoder that libcurl is linked with.
struct BrotliLibrary: Sendable {
    fileprivate typealias Pointer = UnsafeMutableRawPointer

    fileprivate let create: @convention(c) (Pointer?, Pointer?, Pointer?) -> OpaquePointer?
    fileprivate let destroy: @convention(c) (OpaquePointer) -> Void
    fileprivate let decompress:
        @convention(c) (OpaquePointer, Pointer, Pointer, Pointer, Pointer, Pointer?) -> Int32

    /// `nil` if the process has not loaded the library.
    static let installed = try? BrotliLibrary(.loaded)

    private init(_ find: ProcessSymbols) throws(ProcessSymbols.Missing) {
        create = try find("BrotliDecoderCreateInstance")
        destroy = try find("BrotliDecoderDestroyInstance")
        decompress = try find("BrotliDecoderDecompressStream")
    }
}

/// Decodes Brotli (RFC 7932).
final class BrotliDecoder: ContentDecoder {
    private let library: BrotliLibrary
    private let state: OpaquePointer
    private(set) var isWhole = false

    init(_ library: BrotliLibrary) throws(ContentDecodingError) {
        guard let state = library.create(nil, nil, nil) else { throw .memory }
        (self.library, self.state) = (library, state)
    }

    deinit { library.destroy(state) }

    func decode(
        _ input: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(ContentDecodingError) -> Int {
        var (available, room) = (input.count, output.count)
        var (next, free) = (input.baseAddress, output.baseAddress)
        if !isWhole {
            switch library.decompress(state, &available, &next, &room, &free, nil) {
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

/// Functions of the Zstandard decoder that libcurl is linked with.
struct ZstandardLibrary: Sendable {
    fileprivate typealias Pointer = UnsafeMutableRawPointer

    fileprivate let create: @convention(c) () -> OpaquePointer?
    fileprivate let free: @convention(c) (OpaquePointer) -> Int
    fileprivate let setParameter: @convention(c) (OpaquePointer, Int32, Int32) -> Int
    fileprivate let decompress: @convention(c) (OpaquePointer, Pointer, Pointer) -> Int
    fileprivate let isError: @convention(c) (Int) -> UInt32
    fileprivate let errorName: @convention(c) (Int) -> UnsafePointer<CChar>?

    /// `nil` if the process has not loaded the library.
    static let installed = try? ZstandardLibrary(.loaded)

    private init(_ find: ProcessSymbols) throws(ProcessSymbols.Missing) {
        create = try find("ZSTD_createDStream")
        free = try find("ZSTD_freeDStream")
        setParameter = try find("ZSTD_DCtx_setParameter")
        decompress = try find("ZSTD_decompressStream")
        isError = try find("ZSTD_isError")
        errorName = try find("ZSTD_getErrorName")
    }

    fileprivate func check(_ code: Int) throws(ContentDecodingError) {
        guard isError(code) != 0 else { return }
        throw ContentDecodingError(errorName(code).map { String(cString: $0) } ?? "code \(code)")
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

    private let library: ZstandardLibrary
    private let stream: OpaquePointer
    private(set) var isWhole = false
    /// Whether the last call filled the output, so that the library may hold more.
    private var mayHoldMore = false

    init(_ library: ZstandardLibrary) throws(ContentDecodingError) {
        guard let stream = library.create() else { throw .memory }
        (self.library, self.stream) = (library, stream)
        // Content codings use windows of at most 8 MiB (RFC 9659, section 3), which bounds the
        // memory.
        try library.check(library.setParameter(stream, Self.largestWindow, 23))
    }

    deinit { _ = library.free(stream) }

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
            let code = library.decompress(stream, &target, &source)
            try library.check(code)
            isWhole = code == 0
        } while target.position == 0 && source.position < source.count
        mayHoldMore = target.position == target.count
        input.drop(source.position)
        return target.position
    }
}
#endif
