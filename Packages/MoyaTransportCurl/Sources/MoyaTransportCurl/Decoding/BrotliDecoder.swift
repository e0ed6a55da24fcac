#if CURL
import Foundation

/// Functions of the Brotli decoder that libcurl is linked with.
///
/// They are looked up at run time, because libcurl may be built without Brotli.
struct BrotliLibrary: Sendable {
    fileprivate let create:
        @convention(c) (
            UnsafeRawPointer?, UnsafeRawPointer?, UnsafeRawPointer?
        ) -> OpaquePointer?
    fileprivate let destroy: @convention(c) (OpaquePointer) -> Void
    fileprivate let decompress:
        @convention(c) (
            OpaquePointer, UnsafeMutablePointer<Int>,
            UnsafeMutablePointer<UnsafePointer<UInt8>?>, UnsafeMutablePointer<Int>,
            UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, UnsafeMutablePointer<Int>?
        ) -> Int32

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
        guard let state = library.create(nil, nil, nil) else {
            throw ContentDecodingError("the memory is used up")
        }
        (self.library, self.state) = (library, state)
    }

    deinit { library.destroy(state) }

    func decode(
        _ input: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(ContentDecodingError) -> Int {
        guard !isWhole else {
            guard input.isEmpty else { throw ContentDecodingError("more bytes follow its end") }
            return 0
        }
        var (available, room) = (input.count, output.count)
        var next = input.bindMemory(to: UInt8.self).baseAddress
        var free = output.bindMemory(to: UInt8.self).baseAddress
        let result = library.decompress(state, &available, &next, &room, &free, nil)
        input.drop(input.count - available)
        switch result {
        // BROTLI_DECODER_RESULT_ERROR and BROTLI_DECODER_RESULT_SUCCESS.
        case 0: throw ContentDecodingError("its data are broken")
        case 1: isWhole = true
        default: break
        }
        let count = output.count - room
        guard isWhole, count == 0, !input.isEmpty else { return count }
        throw ContentDecodingError("more bytes follow its end")
    }
}
#endif
