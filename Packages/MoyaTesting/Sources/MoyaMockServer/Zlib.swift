import CMoyaZlib
import Foundation

/// Compression and checksums with zlib.
enum Zlib {
    private static let pieceSize = 1 << 16

    /// Returns `data`, compressed.
    static func compress(_ data: Data, _ coding: MockResponse.Coding) -> Data {
        let pieces = stride(from: 0, to: data.count, by: pieceSize).lazy
            .map { data.dropFirst($0).prefix(pieceSize) }
        return compress(pieces, coding)
    }

    /// Returns `count` zero bytes, compressed.
    static func compress(zeros count: Int, _ coding: MockResponse.Coding) -> Data {
        let zeros = Data(count: pieceSize)
        let pieces = stride(from: 0, to: count, by: pieceSize).lazy
            .map { zeros.prefix(count - $0) }
        return compress(pieces, coding)
    }

    /// Returns the CRC-32 as in gzip (RFC 1952, section 8).
    static func crc32(_ data: Data) -> UInt32 {
        data.withUnsafeBytes { bytes in
            UInt32(crc32_z(0, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count))
        }
    }

    private static func compress(
        _ pieces: some Sequence<Data>, _ coding: MockResponse.Coding
    ) -> Data {
        var output = Data()
        var scratch = [UInt8](repeating: 0, count: pieceSize)
        var stream = z_stream()
        // zlib stores a pointer to the stream, so its address must not change.
        withUnsafeMutablePointer(to: &stream) { stream in
            // Adding 16 to the window bits selects the gzip format in place of the zlib format.
            let code = deflateInit2_(
                stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + (coding == .gzip ? 16 : 0),
                8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
            precondition(code == Z_OK, "zlib has no memory left.")
            defer { deflateEnd(stream) }

            func write(_ piece: Data, _ flush: Int32) {
                piece.withUnsafeBytes { bytes in
                    // zlib does not modify its input, although `next_in` is a mutable pointer.
                    stream.pointee.next_in = UnsafeMutablePointer(
                        mutating: bytes.bindMemory(to: UInt8.self).baseAddress)
                    stream.pointee.avail_in = uInt(bytes.count)
                    repeat {
                        scratch.withUnsafeMutableBufferPointer { room in
                            stream.pointee.next_out = room.baseAddress
                            stream.pointee.avail_out = uInt(room.count)
                            deflate(stream, flush)
                            output.append(contentsOf: room.dropLast(Int(stream.pointee.avail_out)))
                        }
                        // Free space in the output buffer means that zlib has no more output.
                    } while stream.pointee.avail_out == 0
                }
            }
            for piece in pieces { write(piece, Z_NO_FLUSH) }
            write(Data(), Z_FINISH)
        }
        return output
    }
}
