import Foundation

/// Compressed formats, without a compression library: bytes go into DEFLATE's stored blocks, and only
/// runs of zeros get shorter (RFC 1951, sections 3.2.4 and 3.2.6).
enum Deflate {
    /// The gzip format (RFC 1952).
    static func gzip(_ data: Data) -> Data {
        Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]) + storedBlocks(data)
            + littleEndian(Checksum.crc32(data))
            + littleEndian(UInt32(truncatingIfNeeded: data.count))
    }

    /// The zlib format (RFC 1950), which HTTP calls `deflate`.
    static func zlib(_ data: Data) -> Data {
        Data([0x78, 0x01]) + storedBlocks(data) + bigEndian(Checksum.adler32(data))
    }

    static func zlib(zeros count: Int) -> Data {
        Data([0x78, 0x01]) + run(ofZeros: count) + bigEndian(Checksum.adler32(zeros: count))
    }

    private static func storedBlocks(_ data: Data) -> Data {
        var output = Data()
        var rest = data[...]
        repeat {
            let block = rest.prefix(0xFFFF)
            rest = rest.dropFirst(block.count)
            let length = UInt16(block.count)
            output.append(rest.isEmpty ? 1 : 0)
            output += [UInt8(length & 0xFF), UInt8(length >> 8)]
            output += [UInt8(~length & 0xFF), UInt8(~length >> 8)]
            output += block
        } while !rest.isEmpty
        return output
    }

    /// One block with the fixed codes: a zero, then "the byte before, 258 times" as often as needed.
    private static func run(ofZeros count: Int) -> Data {
        let zero = (code: 0x30, length: 8)
        var bits = BitWriter()
        bits.write(0b110, length: 3)
        var left = count
        if left > 0 {
            bits.write(zero.code, length: zero.length)
            left -= 1
        }
        while left >= 258 {
            // Length 258 is the code 11000101; distance 1 is the code 00000.
            bits.write(0b1100_0101_00000, length: 13)
            left -= 258
        }
        for _ in 0..<left { bits.write(zero.code, length: zero.length) }
        bits.write(0, length: 7)
        return bits.finish()
    }

    private static func littleEndian(_ value: UInt32) -> Data {
        withUnsafeBytes(of: value.littleEndian) { Data($0) }
    }

    private static func bigEndian(_ value: UInt32) -> Data {
        withUnsafeBytes(of: value.bigEndian) { Data($0) }
    }
}

/// Packs Huffman codes: highest bit of the code first, into the lowest free bit of a byte.
private struct BitWriter {
    private var output: [UInt8] = []
    private var byte: UInt8 = 0
    private var used: UInt8 = 0

    mutating func write(_ code: Int, length: Int) {
        for shift in stride(from: length - 1, through: 0, by: -1) {
            byte |= UInt8(code >> shift & 1) << used
            used += 1
            if used == 8 {
                output.append(byte)
                (byte, used) = (0, 0)
            }
        }
    }

    func finish() -> Data {
        Data(used == 0 ? output : output + [byte])
    }
}
