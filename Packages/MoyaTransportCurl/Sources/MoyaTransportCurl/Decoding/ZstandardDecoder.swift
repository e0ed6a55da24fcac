#if CURL
import Foundation

/// Functions of the Zstandard decoder that libcurl is linked with.
///
/// They are looked up at run time, because libcurl may be built without Zstandard.
struct ZstandardLibrary: Sendable {
    fileprivate let create: @convention(c) () -> OpaquePointer?
    fileprivate let free: @convention(c) (OpaquePointer) -> Int
    fileprivate let setParameter: @convention(c) (OpaquePointer, Int32, Int32) -> Int
    fileprivate let decompress:
        @convention(c) (
            OpaquePointer, UnsafeMutableRawPointer, UnsafeMutableRawPointer
        ) -> Int
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
        guard let stream = library.create() else {
            throw ContentDecodingError("the memory is used up")
        }
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
