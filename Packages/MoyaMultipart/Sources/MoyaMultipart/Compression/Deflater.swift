import CMoyaZlib
import Foundation

/// Reason why a body could not be compressed.
struct CompressionError: Error, Sendable, Equatable, LocalizedError, CustomStringConvertible {
    /// Message with zlib's error code.
    let description: String
    var errorDescription: String? { description }

    init(code: Int32) {
        description = "The body cannot be compressed: zlib failed with \(code)."
    }
}

/// Streaming zlib compressor.
final class Deflater {
    // zlib keeps a pointer to the stream, so it must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private let scratch: UnsafeMutableRawBufferPointer

    /// - Throws: `CompressionError` if zlib cannot allocate memory.
    init(_ coding: ContentCoding, level: CompressionLevel) throws(CompressionError) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        scratch = .allocate(byteCount: 64 << 10, alignment: 1)
        let code = deflateInit2_(
            stream, Int32(level.rawValue), Z_DEFLATED, coding.windowBits, 8, Z_DEFAULT_STRATEGY,
            ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard code == Z_OK else { throw CompressionError(code: code) }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
        scratch.deallocate()
    }

    /// Compresses `data`. Often returns no bytes, because zlib buffers its output.
    ///
    /// - Throws: `CompressionError`.
    func compress(_ data: Data) throws(CompressionError) -> Data {
        var output = Data()
        var rest = data
        // zlib counts input in 32 bits, so large input is passed in pieces.
        while !rest.isEmpty {
            output += try run(rest.prefix(Chunk.size), Z_NO_FLUSH)
            rest = rest.dropFirst(Chunk.size)
        }
        return output
    }

    /// Returns zlib's remaining output and the trailer of the format. Must be the last call.
    ///
    /// - Throws: `CompressionError`.
    func finish() throws(CompressionError) -> Data { try run(Data(), Z_FINISH) }

    private func run(_ input: Data, _ flush: Int32) throws(CompressionError) -> Data {
        var output = Data()
        let code = input.withUnsafeBytes { bytes in
            // zlib only reads the input, although the pointer's type is mutable.
            stream.pointee.next_in = UnsafeMutablePointer(
                mutating: bytes.bindMemory(to: UInt8.self).baseAddress)
            stream.pointee.avail_in = UInt32(bytes.count)
            defer { stream.pointee.next_in = nil }
            while true {
                stream.pointee.next_out = scratch.bindMemory(to: UInt8.self).baseAddress
                stream.pointee.avail_out = UInt32(scratch.count)
                let code = deflate(stream, flush)
                output.append(
                    contentsOf: UnsafeRawBufferPointer(scratch)[
                        ..<(scratch.count - Int(stream.pointee.avail_out))])
                // Unused output space means that zlib has no more output.
                guard code == Z_OK, stream.pointee.avail_out == 0 else { return code }
            }
        }
        // Z_BUF_ERROR means only that zlib could make no progress.
        guard [Z_OK, Z_STREAM_END, Z_BUF_ERROR].contains(code) else {
            throw CompressionError(code: code)
        }
        return output
    }
}
