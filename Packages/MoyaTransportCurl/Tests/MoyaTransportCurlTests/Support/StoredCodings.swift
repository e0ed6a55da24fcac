import Foundation

/// Encodes bodies in each coding without compression, as stored blocks or runs of one byte.
extension DecompressionTests {
    /// gzip (RFC 1952) with stored deflate blocks (RFC 1951).
    static func gzip(_ data: Data) -> Data {
        var all = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF])
        let starts = Array(stride(from: 0, to: data.count, by: 65_535))
        for start in starts {
            let block = data.dropFirst(start).prefix(65_535)
            let count = UInt16(block.count)
            all.append(start == starts.last ? 1 : 0)
            all += little(count) + little(~count) + block
        }
        return all + little(checksum(data)) + little(UInt32(data.count))
    }

    /// Brotli (RFC 7932, section 9): a window of 64 KiB, uncompressed meta-blocks, and an empty
    /// last one.
    static func brotli(_ data: Data) -> Data {
        var all = Data()
        for start in stride(from: 0, to: data.count, by: 65_536) {
            let block = data.dropFirst(start).prefix(65_536)
            // Not the last meta-block, a length of four nibbles, uncompressed. The first is
            // preceded by the window size.
            let bits = UInt32(block.count - 1) << 3 | 1 << 19
            all += little(start == 0 ? bits << 1 : bits).prefix(3) + block
        }
        return all + [3]
    }

    /// Zstandard (RFC 8878): a frame without a content size, of blocks that repeat a byte.
    static func zstd(repeating byte: UInt8, _ count: Int) -> Data {
        var all = Data([0x28, 0xB5, 0x2F, 0xFD, 0, 0x40])
        var rest = count
        repeat {
            let size = min(rest, 1 << 17)
            rest -= size
            all += little(UInt32(size) << 3 | 1 << 1 | (rest == 0 ? 1 : 0)).prefix(3) + [byte]
        } while rest > 0
        return all
    }

    private static func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    /// CRC-32 (RFC 1952, section 8).
    private static func checksum(_ data: Data) -> UInt32 {
        var sum: UInt32 = ~0
        for byte in data {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        return ~sum
    }
}
