#if CURL
import Foundation

/// The decoder of the Zstandard library that libcurl works with: its public functions.
///
/// Looked up rather than linked, as libcurl may have been built without it.
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

    /// `nil` where the process has no such library.
    static let installed = try? ZstandardLibrary(ProcessSymbols())

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

/// Decodes Zstandard (RFC 8878): one frame or several.
final class ZstandardDecoder: ContentDecoder {
    /// `ZSTD_inBuffer`, and `ZSTD_outBuffer` but for the type of its address.
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
    /// Whether the last output has filled its room, so that there may be more of it.
    private var mayHoldMore = false

    init(_ library: ZstandardLibrary) throws(ContentDecodingError) {
        guard let stream = library.create() else {
            throw ContentDecodingError("the memory is used up")
        }
        (self.library, self.stream) = (library, stream)
        // The content coding has windows of 8 MiB at most (RFC 9659, section 3). A window is memory.
        try library.check(library.setParameter(stream, Self.largestWindow, 23))
    }

    deinit { _ = library.free(stream) }

    func decode(
        _ input: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(ContentDecodingError) -> Int {
        // To ask for more after a frame would begin another one. To ask 16 times in vain is an error to the library, and a
        // coding before this one may need many pieces for its first byte.
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
